import { sql } from "kysely";
import type { SyncHostsInput, SyncRuns, SyncTrigger } from "../../shared/sync.ts";
import { ConfigEntity, type ConfigRow } from "../configs/entity.ts";
import { configNotFound } from "../configs/queries.ts";
import type { Deps } from "../core/deps.ts";
import { AppError } from "../core/errors.ts";
import { newId } from "../core/ids.ts";
import type { Caller } from "../core/ports.ts";
import { inTransaction } from "../database/transaction.ts";
import { appendEvent } from "../events/append.ts";
import { SYNC_RUN_JOB } from "./job-name.ts";
import { presentSyncRun, type SyncRunRecord } from "./present.ts";
import { reapExpired } from "./reap.ts";
import { waitForRuns } from "./wait.ts";

type StartDeps = Pick<Deps, "em" | "bus" | "clock" | "metrics" | "log" | "jobs" | "stopping">;

interface Wish {
  readonly config: ConfigRow;
  readonly trigger: SyncTrigger;
  /** Null for the system. */
  readonly by: Pick<Caller, "id" | "name"> | null;
}

/** Starts, or finds running, the sync of one configuration or of all active ones, and waits for them for a while. */
export async function syncHosts(
  deps: StartDeps,
  caller: Caller,
  { configId, wait, signal }: SyncHostsInput & { readonly signal?: AbortSignal | undefined },
): Promise<SyncRuns> {
  const configs = configId === undefined ? await activeConfigs(deps) : [await oneConfig(deps, configId)];
  const ids: string[] = [];
  for (const config of configs) ids.push(await startRun(deps, { config, trigger: "manual", by: caller }));
  return { runs: await waitForRuns(deps, ids, { seconds: wait, signal }) };
}

/** @returns the id of a new run, or of the one that is live already: there is never more than one of a configuration. */
export async function startRun(deps: StartDeps, wish: Wish): Promise<string> {
  await reapExpired(deps);
  // Between the refused insert and the look the live run may end; then there is room for a new one.
  for (let attempt = 0; attempt < 5; attempt++) {
    const queued = await queueRun(deps, wish);
    if (queued !== null) {
      await announce(deps, queued);
      return queued;
    }
    const { rows } = await sql<{ id: string }>`
      select id from sync_runs where config_id = ${wish.config.id} and status in ('queued', 'running')
    `.execute(deps.em.getKysely());
    if (rows[0] !== undefined) return rows[0].id;
  }
  throw new AppError("STATE_CONFLICT", "同步状态刚刚发生变化，请稍后重试");
}

/** Null when the unique index of live runs says no, or the configuration was switched off or deleted since it was read. */
async function queueRun(deps: StartDeps, { config, trigger, by }: Wish): Promise<string | null> {
  const at = deps.clock.now();
  return await inTransaction(deps, async (em) => {
    const { rows } = await sql<SyncRunRecord>`
      insert into sync_runs (id, config_id, config_name, trigger, status, requested_by, requested_by_name, started_at)
      select ${newId()}::uuid, id, name, ${trigger}, 'queued', ${by?.id ?? null}::uuid, ${by?.name ?? null}, ${at}::bigint
      from configs where id = ${config.id} and is_active for share
      on conflict (config_id) where status in ('queued', 'running') do nothing
      returning *
    `.execute(em.getKysely());
    const [run] = rows;
    if (run === undefined) return null;
    await appendEvent(em, { type: "sync.progress", data: presentSyncRun(run) }, at);
    return run.id;
  });
}

/** The row is the truth: a run whose message is lost is found by the workers' own look. */
async function announce({ jobs, log }: StartDeps, runId: string): Promise<void> {
  try {
    await jobs.send(SYNC_RUN_JOB, { runId });
  } catch (error) {
    log.warn({ err: error, runId }, "sync run could not be put into the queue");
  }
}

async function oneConfig({ em }: Pick<Deps, "em">, id: string): Promise<ConfigRow> {
  const config = await em.findOne(ConfigEntity, { id });
  if (config === null) throw configNotFound();
  if (!config.isActive) throw new AppError("STATE_CONFLICT", "该配置已停用，请先启用后再同步");
  return config;
}

async function activeConfigs({ em }: Pick<Deps, "em">): Promise<ConfigRow[]> {
  const configs = await em.find(ConfigEntity, { isActive: true }, { orderBy: { isDefault: "desc", id: "asc" } });
  if (configs.length === 0) throw new AppError("STATE_CONFLICT", "没有启用的云服务商配置，请先添加或启用配置");
  return configs;
}
