import { sql } from "kysely";
import type { IdInput } from "../../shared/ids.ts";
import type { SyncRun } from "../../shared/sync.ts";
import type { Deps } from "../core/deps.ts";
import { AppError } from "../core/errors.ts";
import { inTransaction } from "../core/transaction.ts";
import { appendEvent } from "../events/append.ts";
import { presentSyncRun, type SyncRunRecord } from "./present.ts";
import { getSyncRun } from "./queries.ts";
import { waitForRuns } from "./wait.ts";

/** How long the answer waits for the owner to stop, in seconds. */
const WAIT = 3;

type CancelDeps = Pick<Deps, "em" | "notices" | "clock" | "metrics" | "stopped">;

/** Stops a live run: at once when nobody works on it, else its owner does within moments. What was written stays; nothing more is marked gone. */
export async function cancelSync(deps: CancelDeps, { id }: IdInput): Promise<SyncRun> {
  if (await cancelUnowned(deps, id)) return await getSyncRun(deps, { id });
  const { rows } = await sql`
    update sync_runs set cancel_requested = true where id = ${id} and status = 'running' returning id
  `.execute(deps.em.getKysely());
  if (rows.length === 0) {
    await getSyncRun(deps, { id });
    throw new AppError("STATE_CONFLICT", "该同步已经结束，无需停止");
  }
  deps.notices.emit("sync.cancelled", { runId: id });
  await waitForRuns(deps, [id], { seconds: WAIT });
  return await getSyncRun(deps, { id });
}

async function cancelUnowned(deps: CancelDeps, id: string): Promise<boolean> {
  const at = deps.clock.now();
  const cancelled = await inTransaction(deps, async (em) => {
    const { rows } = await sql<SyncRunRecord>`
      update sync_runs
      set status = 'cancelled', cancel_requested = true, finished_at = ${at}, fence = fence + 1, lease_owner = null,
        lease_until = null
      where id = ${id} and (status = 'queued' or status = 'running' and lease_until < clock_timestamp())
      returning *
    `.execute(em.getKysely());
    const [run] = rows;
    if (run === undefined) return null;
    await appendEvent(em, { type: "sync.finished", data: presentSyncRun(run) }, at);
    return run;
  });
  if (cancelled === null) return false;
  const { config_id: config, trigger } = cancelled;
  deps.metrics.syncRuns.inc({ config, trigger, status: "cancelled" });
  deps.notices.emit("sync.finished", { runId: id });
  return true;
}
