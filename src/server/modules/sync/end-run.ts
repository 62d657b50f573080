import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { IdInput } from "../../../shared/ids.ts";
import { LIVE_SYNC_STATUSES, type SyncRun, type SyncRunError } from "../../../shared/sync.ts";
import { withItems } from "../../platform/database/expressions.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { anyOf } from "../../platform/database/sql.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import type { AuditDeps } from "../audit-records/deps.ts";
import { noteSubject } from "../audit-records/note-subject.ts";
import type { SyncJobDeps } from "./deps.ts";
import { publishRun } from "./events.ts";
import { presentSyncRun } from "./present.ts";
import { getSyncRun } from "./queries.ts";
import { recordRun } from "./record-run.ts";
import { OWNER_LOST } from "./run-errors.ts";

const COUNTED_RESULTS = ["created", "updated", "unchanged", "gone", "rejected"] as const;

type EndDeps = AuditDeps & Pick<SyncJobDeps, "bus" | "clock" | "metrics">;

interface RunEnd {
  readonly status: "cancelled" | "interrupted";
  readonly error: SyncRunError | null;
  readonly at: number;
}

/** A person stops a run that waits or is under way. */
export async function cancelSync(deps: EndDeps, { id }: IdInput): Promise<SyncRun> {
  const { configId, configName } = await getSyncRun(deps, { id });
  noteSubject(deps, { type: "config", id: configId, label: configName });

  const at = deps.clock.now();
  const cancelled = await inTransaction(deps, async (em) => {
    const [run] = await endRuns(em, { runIds: [id] }, { status: "cancelled", error: null, at });
    if (run !== undefined) await recordRun({ ...deps, em }, "hosts.cancelSync", run, at);
    return run;
  });

  if (cancelled === undefined) {
    throw new AppError("STATE_CONFLICT", "该同步已经结束，无需停止");
  }
  countEndedRuns(deps, [cancelled]);
  return cancelled;
}

/**
 * Ends those of these runs that are still live: their owner is lost. Returns how many there were.
 */
export async function interruptRuns(
  deps: EndDeps,
  action: "job.sync-run" | "job.lost-runs",
  runIds: readonly string[],
): Promise<number> {
  const at = deps.clock.now();
  const interrupted = await inTransaction(deps, async (em) => {
    const end = { status: "interrupted", error: OWNER_LOST, at } as const;
    const runs = await endRuns(em, { runIds }, end);
    for (const run of runs) await recordRun({ ...deps, em }, action, run, at);
    return runs;
  });

  countEndedRuns(deps, interrupted);
  return interrupted.length;
}

/**
 * Ends the live run of a configuration that is deleted, or that it may not go on reading: call it
 * before hosts are locked. Call `countEndedRuns` after the commit.
 */
export async function cancelRunOfConfig(
  em: SqlEntityManager,
  configId: string,
  at: number,
): Promise<SyncRun[]> {
  return await endRuns(em, { configId }, { status: "cancelled", error: null, at });
}

export function countEndedRuns(
  { metrics }: Pick<SyncJobDeps, "metrics">,
  runs: readonly SyncRun[],
): void {
  for (const { configId: config, trigger, status, ...run } of runs) {
    metrics.syncRuns.inc({ config, trigger, status });
    for (const result of COUNTED_RESULTS) metrics.syncedHosts.inc({ config, result }, run[result]);
  }
}

/** Ends live runs at once. Their owners stop at their next write, which is refused. */
async function endRuns(
  em: SqlEntityManager,
  which: { readonly runIds: readonly string[] } | { readonly configId: string },
  { status, error, at }: RunEnd,
): Promise<SyncRun[]> {
  const live = kyselyOf(em).updateTable("sync_runs").where("status", "in", LIVE_SYNC_STATUSES);
  const chosen =
    "runIds" in which
      ? live.where("id", "=", anyOf(which.runIds))
      : live.where("configId", "=", which.configId);

  const rows = await chosen
    .set((eb) => ({
      status,
      finishedAt: at,
      errors: withItems(eb.ref("errors"), error === null ? [] : [error]),
    }))
    .returningAll()
    .execute();

  const ended = rows.map(presentSyncRun);
  for (const run of ended) await publishRun(em, run, at);
  return ended;
}
