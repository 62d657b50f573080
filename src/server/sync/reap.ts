import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { SyncRunError } from "../../shared/sync.ts";
import type { Deps } from "../core/deps.ts";
import { inTransaction } from "../core/transaction.ts";
import { appendEvent } from "../events/append.ts";
import { presentSyncRun, type SyncRunRecord } from "./present.ts";

type ReapDeps = Pick<Deps, "em" | "notices" | "clock" | "metrics" | "log">;

const INTERRUPTED: SyncRunError = {
  region: null,
  projectId: null,
  code: "interrupted",
  message: "执行同步的服务进程已停止，已写入的数据有效，请重新同步",
};

/** Ends the runs whose owner has not been heard of for too long, and so frees their configurations. @returns how many */
export async function reapExpired(deps: ReapDeps): Promise<number> {
  return await interrupt(deps, sql`lease_until < clock_timestamp()`);
}

/**
 * For the start of a process. `soleOwner`: nobody else can be working on this database, so every running run is a dead one,
 * whatever its lease says.
 */
export async function interruptAbandoned(
  deps: ReapDeps,
  { soleOwner }: { readonly soleOwner: boolean },
): Promise<void> {
  await interrupt(deps, soleOwner ? sql`true` : sql`lease_until < clock_timestamp()`);
}

async function interrupt(deps: ReapDeps, condition: RawBuilder<SqlBool>): Promise<number> {
  const at = deps.clock.now();
  const found = await sql`select 1 from sync_runs where status = 'running' and ${condition} limit 1`.execute(
    deps.em.fork().getKysely(),
  );
  if (found.rows.length === 0) return 0;
  const ended = await inTransaction(deps, async (em) => {
    const { rows } = await sql<SyncRunRecord>`
      update sync_runs
      set status = 'interrupted', finished_at = ${at}, fence = fence + 1, lease_owner = null, lease_until = null,
        errors = errors || ${JSON.stringify([INTERRUPTED])}::jsonb
      where status = 'running' and ${condition}
      returning *
    `.execute(em.getKysely());
    for (const row of rows) await appendEvent(em, { type: "sync.finished", data: presentSyncRun(row) }, at);
    return rows;
  });
  for (const { id, config_id: config, trigger } of ended) {
    deps.log.warn({ runId: id }, "sync run interrupted: its owner is gone");
    deps.metrics.syncRuns.inc({ config, trigger, status: "interrupted" });
    deps.notices.emit("sync.finished", { runId: id });
  }
  return ended.length;
}
