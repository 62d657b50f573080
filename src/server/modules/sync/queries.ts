import { setTimeout as sleep } from "node:timers/promises";
import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { IdInput } from "../../../shared/ids.ts";
import { paginate } from "../../../shared/page.ts";
import {
  isLiveSync,
  type ListSyncRunsInput,
  type SyncRun,
  type SyncRunList,
} from "../../../shared/sync.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { anyOf } from "../../platform/database/sql.ts";
import type { Deps } from "../../platform/deps.ts";
import { AppError } from "../../platform/errors.ts";
import type { SyncDeps } from "./deps.ts";
import { presentSyncRun } from "./present.ts";

const POLL_MS = 200;

export async function listSyncRuns(
  { em }: Pick<SyncDeps, "em">,
  input: ListSyncRunsInput,
): Promise<SyncRunList> {
  const { configId, status, limit, page } = input;
  let matching = kyselyOf(em).selectFrom("sync_runs");
  if (configId !== undefined) matching = matching.where("configId", "=", configId);
  if (status !== undefined) matching = matching.where("status", "=", status);

  const { total } = await matching
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();

  // A late page passes over the ids of the runs before it, not over their errors.
  const idsOfPage = matching
    .select("id")
    .orderBy("id", "desc")
    .limit(limit)
    .offset((page - 1) * limit);
  const runs = await kyselyOf(em)
    .selectFrom("sync_runs")
    .selectAll()
    .where("id", "in", idsOfPage)
    .orderBy("id", "desc")
    .execute();
  return { runs: runs.map(presentSyncRun), pagination: paginate(input, total) };
}

export async function getSyncRun({ em }: Pick<SyncDeps, "em">, { id }: IdInput): Promise<SyncRun> {
  const [run] = await findSyncRuns(em, [id]);
  if (run === undefined) throw new AppError("NOT_FOUND", "同步记录不存在");
  return run;
}

async function findSyncRuns(em: SqlEntityManager, ids: readonly string[]): Promise<SyncRun[]> {
  const runs = await kyselyOf(em)
    .selectFrom("sync_runs")
    .selectAll()
    .where("id", "=", anyOf(ids))
    .orderBy("id")
    .execute();
  return runs.map(presentSyncRun);
}

interface Patience {
  readonly seconds: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The runs once all have ended, or after `seconds`, or when the caller leaves or this process
 * stops. It reads them again and again: a run may be executed by another process.
 */
export async function waitForRuns(
  { em, stopping }: Pick<Deps, "em" | "stopping">,
  ids: readonly string[],
  { seconds, signal }: Patience,
): Promise<SyncRun[]> {
  const until = performance.now() + seconds * 1000;
  const leaving = signal === undefined ? stopping : AbortSignal.any([stopping, signal]);

  for (;;) {
    const runs = await findSyncRuns(em, ids);
    const isAnyLive = runs.some(({ status }) => isLiveSync(status));
    const leftMs = until - performance.now();
    if (!isAnyLive || leftMs <= 0 || leaving.aborted) return runs;

    await sleep(Math.min(leftMs, POLL_MS), undefined, { signal: leaving }).catch(() => undefined);
  }
}
