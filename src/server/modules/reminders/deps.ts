import type { Deps } from "../../platform/deps.ts";
import type { AuditDeps } from "../audit-records/deps.ts";

/** Of the job: the queue hands itself to what it delivers. */
export type RemindersJobDeps = AuditDeps & Pick<Deps, "bus" | "databaseClock" | "transactionTurns">;

export type RemindersDeps = RemindersJobDeps & Pick<Deps, "jobs">;
