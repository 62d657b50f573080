import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { EntityManager, SqlEntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import pLimit from "p-limit";
import type { SyncRun, SyncRunError, SyncStatus } from "../../../shared/sync.ts";
import type { Deps } from "../../core/deps.ts";
import { isDatabaseUnavailable } from "../../database/errors.ts";
import { kyselyOf } from "../../database/kysely.ts";
import { inTransaction } from "../../database/transaction.ts";
import { appendEvent } from "../../events/append.ts";
import { presentSyncRun, SYNC_RUN_COLUMNS, SYNC_RUN_COUNTERS } from "../entity.ts";
import { moreErrors } from "./run-errors.ts";

const TICK_MS = 500;
/** A run that changes nothing still shows that it lives. */
const MAX_INTERVAL_MS = 1_000;
/** A restarting database costs no run; one that is away longer than the owner's heartbeat may be missing does. */
const RETRY_MS = { interval: 500, limit: 15_000 } as const;
const MAX_ERRORS = 200;

/** A claimed run. Its id is the fencing token: a run that ended accepts no write. */
export interface RunRef {
  readonly runId: string;
  readonly configId: string;
  /** Unix seconds. */
  readonly startedAt: number;
}

/** `hostsTotal` is what the provider announces; `hostsSeen` are written: created, updated or unchanged. */
export type RunCounters = Record<(typeof SYNC_RUN_COUNTERS)[number], number>;

/** The run was cancelled, or given up for lost, while its owner was at work. */
export class RunEnded extends Error {
  override readonly name = "RunEnded";
}

export interface RunReport {
  readonly counters: Readonly<RunCounters>;
  readonly errors: readonly SyncRunError[];
  add(error: SyncRunError): void;
  /** Counts rejected records and says why. */
  reject(records: number, error: SyncRunError): void;
  count(difference: Partial<RunCounters>): void;
}

export interface RunWriter extends RunReport, AsyncDisposable {
  /** One transaction of the run, one at a time. `change` returns what it adds to the counters. Throws RunEnded. */
  write<Added extends Partial<RunCounters>>(change: (em: EntityManager) => Promise<Added>): Promise<Added>;
  /** Ends the run, with `change` in the same transaction. Throws RunEnded. */
  end(status: SyncStatus, change: (em: EntityManager) => Promise<void>): Promise<SyncRun>;
}

type WriterDeps = Pick<Deps, "em" | "bus" | "clock">;

/** Counts what a run does, and publishes it in its row and as events until disposed. */
export function openRunWriter(deps: WriterDeps, run: RunRef, onFailure: (error: unknown) => void): RunWriter {
  const counters = zeroCounters();
  const kept: SyncRunError[] = [];
  let dropped = 0;
  let isChanged = true;
  let publishedAt = Number.NEGATIVE_INFINITY;
  const oneAtATime = pLimit(1);

  const allErrors = () => (dropped === 0 ? kept : [...kept, moreErrors(kept.length, dropped)]);

  /** Locks the run's row first: nobody ends the run before the commit. */
  function inRun<Result>(change: (em: EntityManager) => Promise<Result>): Promise<Result> {
    return whileDatabaseRestarts(() =>
      inTransaction(deps, async (em) => {
        const live = kyselyOf(em).selectFrom("sync_runs").select("id").where("id", "=", run.runId);
        if (!(await live.where("status", "=", "running").forUpdate().executeTakeFirst())) throw new RunEnded();
        return await change(em);
      }),
    );
  }

  function count(difference: Partial<RunCounters>): void {
    addCounters(counters, difference);
    isChanged = true;
  }

  async function publishProgress(): Promise<void> {
    isChanged = false;
    await oneAtATime(() =>
      inRun(async (em) => {
        const progress = await saveRun(em, run.runId, { counters, errors: allErrors() });
        await appendEvent(em, { type: "sync.progress", data: progress }, deps.clock.now());
      }),
    );
    publishedAt = performance.now();
  }

  let publishing: Promise<void> | undefined;
  const timer = setInterval(() => {
    if (publishing !== undefined || (!isChanged && performance.now() - publishedAt < MAX_INTERVAL_MS)) return;
    publishing = publishProgress()
      .catch(onFailure)
      .finally(() => {
        publishing = undefined;
      });
  }, TICK_MS);

  async function stopPublishing(): Promise<void> {
    clearInterval(timer);
    await publishing;
  }

  return {
    counters,
    get errors() {
      return allErrors();
    },
    count,
    add(error) {
      if (kept.some((known) => isDeepStrictEqual(known, error))) return;
      isChanged = true;
      if (kept.length < MAX_ERRORS || error.region === null) kept.push(error);
      else dropped += 1;
    },
    reject(records, error) {
      count({ rejected: records });
      this.add(error);
    },
    write(change) {
      return oneAtATime(async () => {
        const written = await inRun(async (em) => {
          const added = await change(em);
          await saveRun(em, run.runId, { counters: addCounters({ ...counters }, added), errors: allErrors() });
          return added;
        });
        count(written);
        return written;
      });
    },
    async end(status, change) {
      await stopPublishing();
      return await oneAtATime(() =>
        inRun(async (em) => {
          await change(em);
          const finishedAt = deps.clock.now();
          const ended = await saveRun(em, run.runId, { counters, errors: allErrors(), status, finishedAt });
          await appendEvent(em, { type: "sync.finished", data: ended }, finishedAt);
          return ended;
        }),
      );
    },
    [Symbol.asyncDispose]: stopPublishing,
  };
}

function zeroCounters(): RunCounters {
  const hosts = { hostsTotal: 0, hostsSeen: 0, created: 0, updated: 0, unchanged: 0, gone: 0, rejected: 0 };
  return { regionsTotal: 0, regionsDone: 0, ...hosts };
}

function addCounters(counters: RunCounters, difference: Partial<RunCounters>): RunCounters {
  for (const name of SYNC_RUN_COUNTERS) counters[name] += difference[name] ?? 0;
  return counters;
}

interface RunState {
  readonly counters: RunCounters;
  readonly errors: readonly SyncRunError[];
  readonly status?: SyncStatus;
  readonly finishedAt?: number;
}

async function saveRun(em: SqlEntityManager, id: string, { counters, errors, ...end }: RunState): Promise<SyncRun> {
  // A provider may list more hosts than it announces.
  const hostsTotal = Math.max(counters.hostsTotal, counters.hostsSeen);
  const row = await kyselyOf(em)
    .updateTable("sync_runs")
    .set({ ...counters, hostsTotal, errors: sql`${JSON.stringify(errors)}::jsonb`, ...end })
    .where("id", "=", id)
    .returning(SYNC_RUN_COLUMNS)
    .executeTakeFirstOrThrow();
  return presentSyncRun(row);
}

async function whileDatabaseRestarts<Result>(attempt: () => Promise<Result>): Promise<Result> {
  const until = performance.now() + RETRY_MS.limit;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!isDatabaseUnavailable(error) || performance.now() > until) throw error;
      await sleep(RETRY_MS.interval, undefined, { ref: false });
    }
  }
}
