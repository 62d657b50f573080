import type { Deps } from "../../platform/deps.ts";
import type { AuditDeps } from "../audit-records/deps.ts";

export type HostsDeps = Pick<Deps, "em" | "clock">;

export type AnnotateDeps = HostsDeps & AuditDeps & Pick<Deps, "bus">;
