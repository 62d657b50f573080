import { LockMode } from "@mikro-orm/core";
import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { SyncRunError } from "../../shared/sync.ts";
import type { Deps } from "../core/deps.ts";
import { appendEvent } from "../events/append.ts";
import { SyncRunEntity } from "./entity.ts";
import { presentSyncRun, type SyncRunRecord } from "./present.ts";

interface End {
  /** Condition on `sync_runs`. */
  readonly which: RawBuilder<SqlBool>;
  readonly status: "cancelled" | "interrupted";
  /** Told as the last of the run's errors. */
  readonly error?: SyncRunError;
  /** Unix seconds. */
  readonly at: number;
}

/** Ends runs in their owner's stead, whose writes the risen fence refuses from now on. Tell of them once the transaction is committed. */
export async function endFromOutside(
  em: SqlEntityManager,
  { which, status, error, at }: End,
): Promise<readonly SyncRunRecord[]> {
  const { rows } = await sql<SyncRunRecord>`
    update sync_runs
    set status = ${status}, cancel_requested = cancel_requested or ${status === "cancelled"}, finished_at = ${at},
      fence = fence + 1, lease_owner = null, lease_until = null,
      errors = errors || ${JSON.stringify(error === undefined ? [] : [error])}::jsonb
    where ${which}
    returning *
  `.execute(em.getKysely());
  for (const row of rows) await appendEvent(em, { type: "sync.finished", data: presentSyncRun(row) }, at);
  return rows;
}

export function tellEnded({ metrics, bus }: Pick<Deps, "metrics" | "bus">, runs: readonly SyncRunRecord[]): void {
  for (const { id: runId, config_id: config, trigger, status } of runs) {
    metrics.syncRuns.inc({ config, trigger, status });
    if (status === "cancelled") bus.emit("sync.cancelled", { runId });
    bus.emit("sync.finished", { runId });
  }
}

/** Locks the live run of a configuration that is being deleted. A sync that is writing locks its run first, then hosts. */
export async function lockRunOfConfig(
  em: SqlEntityManager,
  { configId }: { readonly configId: string },
): Promise<void> {
  const live = { configId, status: { $in: ["queued", "running"] as const } };
  await em.find(SyncRunEntity, live, { fields: ["id"], lockMode: LockMode.PESSIMISTIC_WRITE });
}

/** Cancels the live run of a configuration that is deleted or switched off. Call the returned function after the commit. */
export async function cancelRunOfConfig(
  em: SqlEntityManager,
  { configId, at }: { readonly configId: string; readonly at: number },
): Promise<(deps: Pick<Deps, "metrics" | "bus">) => void> {
  const which = sql<SqlBool>`config_id = ${configId} and status in ('queued', 'running')`;
  const ended = await endFromOutside(em, { which, status: "cancelled", at });
  return (deps) => tellEnded(deps, ended);
}
