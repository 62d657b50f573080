import type { Caller } from "../../platform/trpc/caller.ts";
import { type AuditRecord, recordAudit } from "../audit-records/record-audit.ts";
import type { AuthDeps } from "./deps.ts";

/** Records an act on the caller's own account, in the transaction of the act. */
export async function recordOwnAct(
  deps: AuthDeps,
  { id, name }: Caller,
  record: Pick<AuditRecord, "action" | "changes">,
): Promise<void> {
  const subject = { type: "user", id, label: name } as const;
  await recordAudit(deps, { ...record, subject }, deps.clock.now());
}
