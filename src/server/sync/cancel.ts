import { type SqlBool, sql } from "kysely";
import type { IdInput } from "../../shared/ids.ts";
import type { SyncRun } from "../../shared/sync.ts";
import type { Deps } from "../core/deps.ts";
import { AppError } from "../core/errors.ts";
import { inTransaction } from "../database/transaction.ts";
import { endFromOutside, tellEnded } from "./end-from-outside.ts";
import { getSyncRun } from "./queries.ts";
import { waitForRuns } from "./wait.ts";

/** How long the answer waits for the owner to stop, in seconds. */
const WAIT = 3;

type CancelDeps = Pick<Deps, "em" | "bus" | "clock" | "metrics" | "stopping">;

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
  deps.bus.emit("sync.cancelled", { runId: id });
  await waitForRuns(deps, [id], { seconds: WAIT });
  return await getSyncRun(deps, { id });
}

async function cancelUnowned(deps: CancelDeps, id: string): Promise<boolean> {
  const at = deps.clock.now();
  const isUnowned = sql<SqlBool>`status = 'queued' or status = 'running' and lease_until < clock_timestamp()`;
  const which = sql<SqlBool>`id = ${id} and (${isUnowned})`;
  const ended = await inTransaction(deps, (em) => endFromOutside(em, { which, status: "cancelled", at }));
  tellEnded(deps, ended);
  return ended.length > 0;
}
