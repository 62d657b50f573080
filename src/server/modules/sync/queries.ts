import { setTimeout as sleep } from "node:timers/promises";
import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { Selectable } from "kysely";
import type { IdInput } from "../../../shared/ids.ts";
import { paginate } from "../../../shared/page.ts";
import {
  isLiveSync,
  type ListSyncRunsInput,
  type SyncRun,
  type SyncRunList,
} from "../../../shared/sync.ts";
import { kyselyOf, type Tables } from "../../platform/database/kysely.ts";
import { anyOf } from "../../platform/database/sql.ts";
import type { Deps } from "../../platform/deps.ts";
import { AppError } from "../../platform/errors.ts";

const POLL_MS = 200;

export const SYNC_RUN_COUNTERS = [
  "regionsTotal",
  "regionsDone",
  "hostsTotal",
  "hostsSeen",
  "created",
  "updated",
  "unchanged",
  "gone",
  "rejected",
] as const;
/** `hostsTotal` is what the provider counts; `hostsSeen` are written: created, updated or unchanged. */
export type RunCounters = Record<(typeof SYNC_RUN_COUNTERS)[number], number>;

export function presentSyncRun({
  requestedBy,
  requestedByName,
  ...run
}: Selectable<Tables["sync_runs"]>): SyncRun {
  return {
    ...run,
    requestedBy: requestedBy === null ? null : { id: requestedBy, name: requestedByName ?? "" },
  };
}

export async function listSyncRuns(
  { em }: Pick<Deps, "em">,
  input: ListSyncRunsInput,
): Promise<SyncRunList> {
  let runs = kyselyOf(em).selectFrom("sync_runs");
  if (input.configId !== undefined) runs = runs.where("configId", "=", input.configId);
  if (input.status !== undefined) runs = runs.where("status", "=", input.status);
  const { total } = await runs
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  // A late page passes over the ids of the runs before it, not over their errors.
  const ids = runs
    .select("id")
    .orderBy("id", "desc")
    .limit(input.limit)
    .offset((input.page - 1) * input.limit);
  const page = await kyselyOf(em)
    .selectFrom("sync_runs")
    .selectAll()
    .where("id", "in", ids)
    .orderBy("id", "desc")
    .execute();
  return { runs: page.map(presentSyncRun), pagination: paginate(input, total) };
}

export async function getSyncRun({ em }: Pick<Deps, "em">, { id }: IdInput): Promise<SyncRun> {
  const [run] = await findSyncRuns(em, [id]);
  if (run === undefined) throw new AppError("NOT_FOUND", "同步记录不存在");
  return run;
}

async function findSyncRuns(em: SqlEntityManager, ids: readonly string[]): Promise<SyncRun[]> {
  const runs = kyselyOf(em).selectFrom("sync_runs").selectAll();
  return (await runs.where("id", "=", anyOf(ids)).orderBy("id").execute()).map(presentSyncRun);
}

/** The runs once all have ended, or after `seconds`, or when the caller leaves or this process stops. */
export async function waitForRuns(
  { em, stopping }: Pick<Deps, "em" | "stopping">,
  ids: readonly string[],
  { seconds, signal }: { readonly seconds: number; readonly signal?: AbortSignal | undefined },
): Promise<SyncRun[]> {
  const until = performance.now() + seconds * 1000;
  const leaving = signal === undefined ? stopping : AbortSignal.any([stopping, signal]);
  for (;;) {
    const runs = await findSyncRuns(em, ids);
    const left = until - performance.now();
    if (left <= 0 || leaving.aborted || !runs.some(({ status }) => isLiveSync(status))) return runs;
    await sleep(Math.min(left, POLL_MS), undefined, { signal: leaving }).catch(() => undefined);
  }
}
