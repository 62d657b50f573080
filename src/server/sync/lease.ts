import { setTimeout as sleep } from "node:timers/promises";
import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import pLimit, { type LimitFunction } from "p-limit";
import { isDatabaseAway } from "../core/database-errors.ts";
import type { Deps } from "../core/deps.ts";
import { inTransaction } from "../core/transaction.ts";
import { RunStopped } from "./stop-reason.ts";

/** How long an owner may be silent before others may take its run for dead. */
export const LEASE_SECONDS = 15;
/** Between tries while the database is away, in ms. */
const RETRY_MS = 500;

export const LEASE_END = sql`clock_timestamp() + make_interval(secs => ${sql.lit(LEASE_SECONDS)})`;

export interface ClaimedRun {
  readonly runId: string;
  readonly configId: string;
  readonly fence: number;
}

/** A claimed run as long as it is ours. */
export interface Lease extends ClaimedRun {
  /**
   * One transaction that first makes sure that the run is still ours, and locks its row; one at a time for a run. Tried again
   * while the database is away, for as long as the lease can last, so `change` must have no effects outside of `em`.
   * @throws RunStopped, which also ends the run, when the run is not ours any more or was asked to stop.
   */
  write<Result>(change: (em: SqlEntityManager) => Promise<Result>, options?: WriteOptions): Promise<Result>;
  /** A look at the database, outside of any transaction, with the same patience. */
  read<Result>(query: (em: SqlEntityManager) => Promise<Result>): Promise<Result>;
}

interface WriteOptions {
  /** For the last words of a run that was asked to stop. */
  readonly evenIfCancelled?: boolean;
}

type LeaseDeps = Pick<Deps, "em" | "notices"> & { readonly databaseTurns?: LimitFunction };

/** Makes the process named `owner` the owner of a queued run; null when somebody else was faster or it is over. */
export async function claimRun(deps: LeaseDeps, runId: string, owner: string): Promise<ClaimedRun | null> {
  const { rows } = await sql<{ config_id: string; fence: number }>`
    update sync_runs
    set status = 'running', fence = fence + 1, lease_owner = ${owner}, lease_until = ${LEASE_END}
    where id = ${runId} and status = 'queued'
    returning config_id, fence
  `.execute(deps.em.fork().getKysely());
  const [row] = rows;
  return row === undefined ? null : { runId, configId: row.config_id, fence: row.fence };
}

export function holdLease(deps: LeaseDeps, claimed: ClaimedRun, stop: AbortController): Lease {
  const oneAtATime = pLimit(1);
  const inTurn = deps.databaseTurns ?? pLimit(Number.POSITIVE_INFINITY);
  let heldAt = performance.now();

  async function patiently<Result>(attempt: () => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        return await inTurn(attempt);
      } catch (error) {
        if (error instanceof RunStopped) stop.abort(error);
        if (!isDatabaseAway(error) || performance.now() - heldAt > LEASE_SECONDS * 1000) throw error;
        // A process that has stopped otherwise does not stay for this.
        await sleep(RETRY_MS, undefined, { ref: false });
      }
    }
  }

  async function writeOnce<Result>(
    change: (em: SqlEntityManager) => Promise<Result>,
    { evenIfCancelled = false }: WriteOptions = {},
  ): Promise<Result> {
    const result = await inTransaction(deps, async (em) => {
      await assertHeld(em, claimed, evenIfCancelled);
      return await change(em);
    });
    heldAt = performance.now();
    return result;
  }

  return {
    ...claimed,
    write: (change, options) => oneAtATime(() => patiently(() => writeOnce(change, options))),
    read: (query) => patiently(() => query(deps.em.fork())),
  };
}

/** The lock keeps the run ours until commit: whoever wants to take it away waits for it. */
async function assertHeld(em: SqlEntityManager, { runId, fence }: ClaimedRun, evenIfCancelled: boolean): Promise<void> {
  const { rows } = await sql<{ cancel_requested: boolean }>`
    select cancel_requested from sync_runs
    where id = ${runId} and fence = ${fence} and status = 'running' and lease_until > clock_timestamp()
    for update
  `.execute(em.getKysely());
  const [row] = rows;
  if (row === undefined) throw new RunStopped("lease-lost");
  if (row.cancel_requested && !evenIfCancelled) throw new RunStopped("cancelled");
}
