import { sql } from "kysely";
import { v7 as newId } from "uuid";
import type { SyncHostsInput, SyncRuns } from "../../../shared/sync.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import type { Deps } from "../../platform/deps.ts";
import { AppError } from "../../platform/errors.ts";
import { appendEvent } from "../../platform/events/append.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { ConfigEntity } from "../provider-configs/entity.ts";
import { lockConfig } from "../provider-configs/queries.ts";
import { getSyncRun, waitForRuns } from "./queries.ts";
import { SYNC_RUN_JOB } from "./sync-job.ts";

type StartDeps = Pick<Deps, "em" | "bus" | "clock" | "jobs" | "stopping">;

/** Starts or finds the live sync of one configuration or of all active ones. Waits for them up to `wait` seconds. */
export async function syncHosts(
  deps: StartDeps,
  caller: Caller,
  { configId, wait, signal }: SyncHostsInput & { readonly signal?: AbortSignal | undefined },
): Promise<SyncRuns> {
  const configIds = configId === undefined ? await findActiveConfigs(deps) : [configId];
  const ids: string[] = [];
  for (const id of configIds) ids.push(await startRun(deps, caller, id));
  return { runs: await waitForRuns(deps, ids, { seconds: wait, signal }) };
}

/** Returns the id of a new run, or of the configuration's live one. Refuses an unknown or inactive configuration. */
async function startRun(deps: StartDeps, caller: Caller, configId: string): Promise<string> {
  const startedAt = deps.clock.now();
  const runId = await inTransaction(deps, async (em) => {
    const { name, isActive } = await lockConfig(em, configId);
    if (!isActive) throw new AppError("STATE_CONFLICT", "该配置已停用，请先启用后再同步");
    const live = await kyselyOf(em)
      .selectFrom("sync_runs")
      .select("id")
      .where("configId", "=", configId)
      .where("status", "in", ["queued", "running"])
      .executeTakeFirst();
    if (live !== undefined) return live.id;
    const id = newId();
    await sql`
      insert into sync_runs (id, config_id, config_name, trigger, status, requested_by, requested_by_name, started_at)
      values (${id}, ${configId}, ${name}, 'manual', 'queued', ${caller.id}, ${caller.name}, ${startedAt})
    `.execute(em.getKysely());
    await deps.jobs.send(em, SYNC_RUN_JOB, { runId: id });
    await appendEvent(
      em,
      { type: "sync.progress", data: await getSyncRun({ em }, { id }) },
      startedAt,
    );
    return id;
  });
  deps.jobs.wake(SYNC_RUN_JOB);
  return runId;
}

async function findActiveConfigs({ em }: Pick<Deps, "em">): Promise<string[]> {
  const configs = await em.find(
    ConfigEntity,
    { isActive: true },
    { orderBy: { isDefault: "desc", id: "asc" } },
  );
  if (configs.length === 0)
    throw new AppError("STATE_CONFLICT", "没有启用的云服务商配置，请先添加或启用配置");
  return configs.map(({ id }) => id);
}
