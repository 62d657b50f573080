import { sql } from "kysely";
import type { SyncHostsInput, SyncRuns, SyncTrigger } from "../../shared/sync.ts";
import { ConfigEntity, type ConfigRow } from "../configs/entity.ts";
import { configNotFound } from "../configs/queries.ts";
import type { Deps } from "../core/deps.ts";
import { AppError } from "../core/errors.ts";
import { newId } from "../core/ids.ts";
import type { Caller, JobQueue } from "../core/ports.ts";
import { kyselyOf } from "../database/kysely.ts";
import { inTransaction } from "../database/transaction.ts";
import { appendEvent } from "../events/append.ts";
import { getSyncRun, waitForRuns } from "./queries.ts";
import { SYNC_RUN_JOB } from "./sync-job.ts";

const ATTEMPTS = 5;

type StartDeps = Pick<Deps, "em" | "bus" | "clock" | "jobs" | "stopping">;

interface StartRequest {
  readonly config: Pick<ConfigRow, "id">;
  readonly trigger: SyncTrigger;
  readonly requestedBy: Pick<Caller, "id" | "name"> | null;
}

/** Starts, or finds running, the sync of one configuration or of all active ones, and waits for them up to `wait` seconds. */
export async function syncHosts(
  deps: StartDeps,
  caller: Caller,
  { configId, wait, signal }: SyncHostsInput & { readonly signal?: AbortSignal | undefined },
): Promise<SyncRuns> {
  const configs = configId === undefined ? await findActiveConfigs(deps) : [await findActiveConfig(deps, configId)];
  const ids: string[] = [];
  for (const config of configs) ids.push(await startRun(deps, { config, trigger: "manual", requestedBy: caller }));
  return { runs: await waitForRuns(deps, ids, { seconds: wait, signal }) };
}

/** Returns the id of a new run, or of the configuration's live one. */
export async function startRun(deps: StartDeps, request: StartRequest): Promise<string> {
  const queue = await deps.jobs;
  // The live run may end between the refused insert and the read.
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const id = await insertRun(deps, queue, request);
    if (id !== null) {
      queue.wake(SYNC_RUN_JOB);
      return id;
    }
    const live = await kyselyOf(deps.em)
      .selectFrom("sync_runs")
      .select("id")
      .where("configId", "=", request.config.id)
      .where("status", "in", ["queued", "running"])
      .executeTakeFirst();
    if (live !== undefined) return live.id;
  }
  throw new AppError("STATE_CONFLICT", "同步状态刚刚发生变化，请稍后重试");
}

/** Null when there is a live run, or the configuration was switched off or deleted since it was read. */
async function insertRun(
  deps: StartDeps,
  queue: JobQueue,
  { config, trigger, requestedBy: by }: StartRequest,
): Promise<string | null> {
  const at = deps.clock.now();
  return await inTransaction(deps, async (em) => {
    const { rows } = await sql<{ id: string }>`
      insert into sync_runs (id, config_id, config_name, trigger, status, requested_by, requested_by_name, started_at)
      select ${newId()}::uuid, id, name, ${trigger}, 'queued', ${by?.id ?? null}::uuid, ${by?.name ?? null}, ${at}::bigint
      from configs where id = ${config.id} and is_active for share
      on conflict (config_id) where status in ('queued', 'running') do nothing
      returning id
    `.execute(em.getKysely());
    const [inserted] = rows;
    if (inserted === undefined) return null;
    await queue.send(em, SYNC_RUN_JOB, { runId: inserted.id });
    await appendEvent(em, { type: "sync.progress", data: await getSyncRun({ em }, inserted) }, at);
    return inserted.id;
  });
}

async function findActiveConfig({ em }: Pick<Deps, "em">, id: string): Promise<ConfigRow> {
  const config = await em.findOneOrFail(ConfigEntity, { id }, { failHandler: configNotFound });
  if (!config.isActive) throw new AppError("STATE_CONFLICT", "该配置已停用，请先启用后再同步");
  return config;
}

async function findActiveConfigs({ em }: Pick<Deps, "em">): Promise<ConfigRow[]> {
  const configs = await em.find(ConfigEntity, { isActive: true }, { orderBy: { isDefault: "desc", id: "asc" } });
  if (configs.length === 0) throw new AppError("STATE_CONFLICT", "没有启用的云服务商配置，请先添加或启用配置");
  return configs;
}
