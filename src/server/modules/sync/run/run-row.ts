import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { SyncRun, SyncRunError, SyncStatus } from "../../../../shared/sync.ts";
import { jsonb } from "../../../platform/database/expressions.ts";
import { kyselyOf } from "../../../platform/database/kysely.ts";
import { presentSyncRun } from "../present.ts";
import type { RunCounters } from "../run-counters.ts";

/** A claimed run. Its id is the fencing token: a run that ended accepts no write. */
export interface RunRef {
  readonly runId: string;
  readonly configId: string;
  readonly startedAt: number;
}

/** The run was cancelled, or taken for lost, while its owner was at work. */
export class RunEnded extends Error {
  override readonly name = "RunEnded";
}

/**
 * The first statement of every transaction of a run. Whoever ends a run changes its row, so under
 * this lock nobody ends it before the commit, and one that has ended is refused: a process that was
 * frozen and wakes up after its run was given up cannot write what it read before. Throws RunEnded.
 */
export async function lockRunningRun(em: SqlEntityManager, runId: string): Promise<void> {
  const running = await kyselyOf(em)
    .selectFrom("sync_runs")
    .select("id")
    .where("id", "=", runId)
    .where("status", "=", "running")
    .forUpdate()
    .executeTakeFirst();
  if (running === undefined) throw new RunEnded();
}

export interface RunState {
  readonly counters: RunCounters;
  /** Null when they are stored already. */
  readonly errors: readonly SyncRunError[] | null;
  /** Only of a run that ends here. */
  readonly end: { readonly status: SyncStatus; readonly finishedAt: number } | null;
}

/** Writes how far a run is, under its lock. */
export async function saveRun(
  em: SqlEntityManager,
  runId: string,
  { counters, errors, end }: RunState,
): Promise<SyncRun> {
  const newErrors = errors === null ? {} : { errors: jsonb([...errors]) };
  const row = await kyselyOf(em)
    .updateTable("sync_runs")
    .set({ ...counters, ...newErrors, ...end })
    .where("id", "=", runId)
    .returningAll()
    .executeTakeFirstOrThrow();
  return presentSyncRun(row);
}
