import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { MikroORM } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import pLimit from "p-limit";
import { isDatabaseUnavailable } from "../database/errors.ts";
import { claimRun } from "./lease.ts";
import { interruptAbandoned, reapExpired } from "./reap.ts";
import { executeRun } from "./run.ts";
import type { SyncDeps } from "./run-context.ts";
import { createSeats, RUNS_AT_ONCE, type Seat } from "./seats.ts";
import { RunStopped } from "./stop-reason.ts";

/** Between looks for dead owners and for runs that nobody has begun, in ms. */
const SWEEP_INTERVAL = 5_000;
/** How long stopping waits for the last words of its runs, in ms; what is not said then is said by the reaper. */
const STOP_LIMIT = 5_000;

export interface SyncWorker extends AsyncDisposable {
  /** Works on a queued run until its end; returns at once when another owner was faster. Never throws. */
  claimAndRun(runId: string): Promise<void>;
  /**
   * For the start of the process: ends runs whose owner died, then looks for work from time to time. `soleOwner`: no other
   * process can be working on this database.
   */
  resume(options: { readonly soleOwner: boolean }): Promise<void>;
}

export type SyncWorkerDeps = Omit<SyncDeps, "em"> & { readonly orm: MikroORM };

/**
 * The runs of this process. Once resumed it also looks every few seconds for runs to take over or to give up for dead, so nothing
 * depends on a message that arrives. Disposing it (more than once is the same) ends its runs as interrupted and frees their
 * configurations.
 */
export function createSyncWorker({ orm, ...shared }: SyncWorkerDeps): SyncWorker {
  // A turn for each run at work: the others, of which there may be many, do not take all connections with what they have to say.
  const deps: SyncDeps = { ...shared, em: orm.em.fork(), databaseTurns: pLimit(RUNS_AT_ONCE) };
  const owner = `${hostname()}:${process.pid}:${randomUUID()}`;
  const seats = createSeats();
  /** Runs waiting for a seat or being worked on here. */
  const known = new Map<string, { readonly stop: AbortController; readonly ended: Promise<void> }>();
  let isStopping = false;

  function claimAndRun(runId: string): Promise<void> {
    const same = known.get(runId);
    if (same !== undefined) return same.ended;
    if (isStopping) return Promise.resolve();
    const stop = new AbortController();
    const ended = seats.take((seat) => claimAndExecute(runId, stop, seat)).finally(() => known.delete(runId));
    known.set(runId, { stop, ended });
    return ended;
  }

  async function claimAndExecute(runId: string, stop: AbortController, seat: Seat): Promise<void> {
    if (isStopping) return;
    try {
      const claimed = await claimRun(deps, runId, owner);
      if (claimed !== null) await executeRun(deps, claimed, { stop, seat });
    } catch (error) {
      // The row stays queued; the next sweep finds it.
      deps.log.warn({ err: error, runId }, "sync run could not be claimed");
    }
  }

  async function sweep(): Promise<void> {
    try {
      await reapExpired(deps);
      if (seats.waiting() > 0) return;
      const { rows } = await sql<{ id: string }>`
        select id from sync_runs where status = 'queued' order by id limit ${RUNS_AT_ONCE}
      `.execute(deps.em.fork().getKysely());
      for (const { id } of rows) void claimAndRun(id);
    } catch (error) {
      if (!isDatabaseUnavailable(error)) deps.log.error({ err: error }, "looking for sync runs failed");
    }
  }

  const onCancelled = ({ runId }: { readonly runId: string }) =>
    known.get(runId)?.stop.abort(new RunStopped("cancelled"));
  shared.bus.on("sync.cancelled", onCancelled);

  let sweeping = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let stopped: Promise<void> | undefined;

  async function stopAll(): Promise<void> {
    isStopping = true;
    clearInterval(timer);
    shared.bus.off("sync.cancelled", onCancelled);
    for (const { stop } of known.values()) stop.abort(new RunStopped("shutdown"));
    const ended = Promise.all([sweeping, ...[...known.values()].map((run) => run.ended)]);
    const limit = new AbortController();
    await Promise.race([ended, sleep(STOP_LIMIT, undefined, { signal: limit.signal }).catch(() => undefined)]);
    limit.abort();
  }

  return {
    claimAndRun,
    async resume(options) {
      try {
        await interruptAbandoned(deps, options);
      } catch (error) {
        // Read-only, say: the looks that follow do it once that is over.
        if (!isDatabaseUnavailable(error)) throw error;
        deps.log.warn({ err: error }, "abandoned sync runs cannot be ended yet");
      }
      if (isStopping) return;
      sweeping = sweep();
      timer = setInterval(() => {
        sweeping = sweeping.then(sweep);
      }, SWEEP_INTERVAL);
    },
    [Symbol.asyncDispose]() {
      stopped ??= stopAll();
      return stopped;
    },
  };
}
