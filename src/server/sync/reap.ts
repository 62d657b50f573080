import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { SyncRunError } from "../../shared/sync.ts";
import type { Deps } from "../core/deps.ts";
import { inTransaction } from "../database/transaction.ts";
import { endFromOutside, tellEnded } from "./end-from-outside.ts";

type ReapDeps = Pick<Deps, "em" | "bus" | "clock" | "metrics" | "log">;

/** What is known of an owner is only that the database has not heard of it: it may be dead, frozen, or cut off. */
const INTERRUPTED: SyncRunError = {
  region: null,
  projectId: null,
  code: "interrupted",
  message: "执行同步的服务进程已停止，或与数据库失去联系，已写入的数据有效，请重新同步",
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
  const which = sql<SqlBool>`status = 'running' and ${condition}`;
  const ended = await inTransaction(deps, (em) =>
    endFromOutside(em, { which, status: "interrupted", error: INTERRUPTED, at }),
  );
  for (const { id } of ended) deps.log.warn({ runId: id }, "sync run interrupted: its owner is gone");
  tellEnded(deps, ended);
  return ended.length;
}
