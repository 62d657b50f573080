import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { IdInput } from "../../shared/ids.ts";
import type { SyncRun } from "../../shared/sync.ts";
import type { Deps } from "../core/deps.ts";
import { AppError } from "../core/errors.ts";
import { BEFORE_ALL_IDS } from "../core/ids.ts";
import { inTransaction } from "../core/transaction.ts";
import { appendEvent } from "../events/append.ts";
import { presentSyncRun, type SyncRunRecord } from "../sync/present.ts";
import { lockDefault } from "./default-lock.ts";
import { CONFIG_NOT_FOUND } from "./service.ts";

/** Bounds one statement, so that a very large configuration does not run into the statement's time limit. */
const HOSTS_PER_STATEMENT = 5_000;

/** Removes a configuration. Its hosts stay as gone, with assignments and history; its live sync run is cancelled. */
export async function deleteConfig(
  deps: Pick<Deps, "em" | "notices" | "clock" | "metrics" | "onConfigRemoved">,
  { id }: IdInput,
): Promise<Record<string, never>> {
  const at = deps.clock.now();
  const stopped = await inTransaction(deps, async (em) => {
    await lockDefault(em);
    await assertRemovable(em, id);
    const run = await stopLiveRun(em, id, at);
    const hostIds = await letHostsGo(em, id, at);
    for (const step of deps.onConfigRemoved) await step(em, { configId: id, at });
    await em.execute("delete from configs where id = ?", [id]);
    await appendEvent(em, { type: "hosts.changed", data: { configId: id, hostIds } }, at);
    if (run !== null) await appendEvent(em, { type: "sync.finished", data: run }, at);
    return run;
  });
  if (stopped !== null) {
    deps.metrics.syncRuns.inc({ config: id, trigger: stopped.trigger, status: "cancelled" });
    deps.notices.emit("sync.cancelled", { runId: stopped.id });
    deps.notices.emit("sync.finished", { runId: stopped.id });
  }
  return {};
}

/** The weaker lock lets a sync that has its run locked finish its write, for which the next step waits. */
async function assertRemovable(em: SqlEntityManager, id: string): Promise<void> {
  const [config] = await em.execute<{ is_default: boolean }[]>(
    "select is_default from configs where id = ? for no key update",
    [id],
  );
  if (config === undefined) throw new AppError("NOT_FOUND", CONFIG_NOT_FOUND);
  if (config.is_default) throw new AppError("CONFLICT", "不能删除默认配置，请先把另一个配置设为默认");
}

/** The risen fence refuses whatever its owner still wants to write. */
async function stopLiveRun(em: SqlEntityManager, configId: string, at: number): Promise<SyncRun | null> {
  const [run] = await em.execute<SyncRunRecord[]>(
    `update sync_runs set status = 'cancelled', finished_at = ?, cancel_requested = true, fence = fence + 1,
       lease_owner = null, lease_until = null
     where config_id = ? and status in ('queued', 'running') returning *`,
    [at, configId],
  );
  return run === undefined ? null : presentSyncRun(run);
}

/** @returns those that somebody has assigned: only their users need to be told */
async function letHostsGo(em: SqlEntityManager, configId: string, at: number): Promise<string[]> {
  const assigned = await em.execute<{ id: string }[]>(
    `select h.id from hosts h
     where h.config_id = ? and exists (select 1 from assignments a where a.host_id = h.id and a.ended_at is null)`,
    [configId],
  );
  let last: string | undefined = BEFORE_ALL_IDS;
  while (last !== undefined) last = await letSomeGo(em, { configId, last, at });
  return assigned.map(({ id }) => id);
}

/** The next hosts by id. @returns the last of them, undefined when there was none */
async function letSomeGo(
  em: SqlEntityManager,
  { configId, last, at }: { readonly configId: string; readonly last: string; readonly at: number },
): Promise<string | undefined> {
  const gone = await em.execute<{ id: string }[]>(
    `with next_hosts as (select id from hosts where config_id = ? and id > ? order by id limit ?), let_go as (
       update hosts set gone_at = coalesce(gone_at, ?), config_id = null, changed_at = ?
       from next_hosts where hosts.id = next_hosts.id
     )
     select id from next_hosts order by id desc limit 1`,
    [configId, last, HOSTS_PER_STATEMENT, at, at],
  );
  return gone[0]?.id;
}
