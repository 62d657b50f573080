import { setTimeout as sleep } from "node:timers/promises";
import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import pLimit, { type LimitFunction } from "p-limit";
import type { Deps } from "../core/deps.ts";
import { isDatabaseUnavailable } from "../database/errors.ts";
import { inTransaction } from "../database/transaction.ts";
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
   * while the database is away, for as long as the lease can last, so `change` must have no effects outside of `em`. When it was only
   * the answer to the commit that got lost a change that writes the run's row (`saveCounters`) is not made a second time; any other
   * has to be one that may be.
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

type LeaseDeps = Pick<Deps, "em" | "bus"> & { readonly databaseTurns?: LimitFunction };

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
        if (!isDatabaseUnavailable(error) || performance.now() - heldAt > LEASE_SECONDS * 1000) throw error;
        // A process that has stopped otherwise does not stay for this.
        await sleep(RETRY_MS, undefined, { ref: false });
      }
    }
  }

  /** Once for each write: what its last try would have come to, in case it was committed and only the answer to that got lost. */
  function writeOnce<Result>(
    change: (em: SqlEntityManager) => Promise<Result>,
    { evenIfCancelled = false }: WriteOptions,
  ): () => Promise<Result> {
    let unanswered: { readonly version: string; readonly result: Result } | undefined;
    return async () => {
      const result = await inTransaction(deps, async (em) => {
        const run = await lockRun(em, claimed);
        if (unanswered !== undefined && run?.version === unanswered.version) return unanswered.result;
        assertHeld(run, evenIfCancelled);
        const result = await change(em);
        unanswered = { version: run.ownVersion, result };
        return result;
      });
      heldAt = performance.now();
      return result;
    };
  }

  return {
    ...claimed,
    write: (change, options = {}) => oneAtATime(() => patiently(writeOnce(change, options))),
    read: (query) => patiently(() => query(deps.em.fork())),
  };
}

interface LockedRun {
  readonly is_held: boolean;
  readonly cancel_requested: boolean;
  /** Of the run's row: which transaction wrote it last. */
  readonly version: string;
  /** What the version will be if this transaction writes it. */
  readonly ownVersion: string;
}

/** The lock keeps the run ours until commit: whoever wants to take it away waits for it. Undefined when it has been taken away. */
async function lockRun(em: SqlEntityManager, { runId, fence }: ClaimedRun): Promise<LockedRun | undefined> {
  const { rows } = await sql<LockedRun>`
    select coalesce(status = 'running' and lease_until > clock_timestamp(), false) as is_held, cancel_requested,
      xmin::text as version, pg_current_xact_id()::xid::text as "ownVersion"
    from sync_runs where id = ${runId} and fence = ${fence}
    for update
  `.execute(em.getKysely());
  return rows[0];
}

function assertHeld(run: LockedRun | undefined, evenIfCancelled: boolean): asserts run is LockedRun {
  if (!run?.is_held) throw new RunStopped("lease-lost");
  if (run.cancel_requested && !evenIfCancelled) throw new RunStopped("cancelled");
}
