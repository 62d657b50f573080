import type { Deps } from "../../platform/deps.ts";
import type { AuditDeps } from "../audit-records/deps.ts";

export type ChannelsDeps = AuditDeps &
  Pick<Deps, "bus" | "clock" | "jobs" | "outbound" | "secrets">;

/** To send one message. The signal ends a try that is under way. */
export type SendDeps = Pick<Deps, "clock" | "outbound"> & { readonly signal: AbortSignal };
