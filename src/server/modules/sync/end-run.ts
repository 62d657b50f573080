import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { type Expression, type SqlBool, sql } from "kysely";
import type { IdInput } from "../../../shared/ids.ts";
import type { SyncRun, SyncRunError } from "../../../shared/sync.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import type { Deps } from "../../platform/deps.ts";
import { AppError } from "../../platform/errors.ts";
import { appendEvent } from "../../platform/events/append.ts";
import { getSyncRun, presentSyncRun } from "./queries.ts";
import { OWNER_LOST } from "./run-errors.ts";

const COUNTED_RESULTS = ["created", "updated", "unchanged", "gone", "rejected"] as const;

interface RunEnd {
  /** Which of the live runs, in SQL column names. */
  readonly where: Expression<SqlBool>;
  readonly status: "cancelled" | "interrupted";
  readonly error?: SyncRunError;
  readonly at: number;
}

type EndDeps = Pick<Deps, "em" | "bus" | "clock" | "metrics">;

/** Ends live runs at once. Their owners stop at their next write, which is refused. */
export async function endRuns(
  em: SqlEntityManager,
  { where, status, error, at }: RunEnd,
): Promise<SyncRun[]> {
  const errors = JSON.stringify(error === undefined ? [] : [error]);
  const rows = await kyselyOf(em)
    .updateTable("sync_runs")
    .set({ status, finishedAt: at, errors: sql`errors || ${errors}::jsonb` })
    .where("status", "in", ["queued", "running"])
    .where(where)
    .returningAll()
    .execute();
  const runs = rows.map(presentSyncRun);
  for (const run of runs) await appendEvent(em, { type: "sync.finished", data: run }, at);
  return runs;
}

/** Waits for the transaction of a live run. Lock it before the hosts of its configuration. */
export async function lockLiveRun(em: SqlEntityManager, configId: string): Promise<void> {
  const runs = kyselyOf(em).selectFrom("sync_runs").select("id").where("configId", "=", configId);
  await runs.where("status", "in", ["queued", "running"]).forUpdate().execute();
}

export function countEndedRuns({ metrics }: Pick<Deps, "metrics">, runs: readonly SyncRun[]): void {
  for (const { configId: config, trigger, status, ...run } of runs) {
    metrics.syncRuns.inc({ config, trigger, status });
    for (const result of COUNTED_RESULTS) metrics.syncedHosts.inc({ config, result }, run[result]);
  }
}

export async function cancelSync(deps: EndDeps, { id }: IdInput): Promise<SyncRun> {
  const [run] = await endInTransaction(deps, { where: sql`id = ${id}`, status: "cancelled" });
  if (run !== undefined) return run;
  await getSyncRun(deps, { id });
  throw new AppError("STATE_CONFLICT", "该同步已经结束，无需停止");
}

/** `where`: which of the live runs have lost their owner. Returns how many were ended. */
export async function interruptRuns(deps: EndDeps, where: Expression<SqlBool>): Promise<number> {
  const ended = await endInTransaction(deps, { where, status: "interrupted", error: OWNER_LOST });
  return ended.length;
}

async function endInTransaction(deps: EndDeps, end: Omit<RunEnd, "at">): Promise<SyncRun[]> {
  const runs = await inTransaction(deps, (em) => endRuns(em, { ...end, at: deps.clock.now() }));
  countEndedRuns(deps, runs);
  return runs;
}
