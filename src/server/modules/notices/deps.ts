import type { Deps } from "../../platform/deps.ts";
import type { AuditDeps } from "../audit-records/deps.ts";

export type NoticesDeps = AuditDeps & Pick<Deps, "bus" | "clock">;
