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

const PROGRESS_MS = 500;
/** A restarting database costs no run; one that is away longer than the owner's heartbeat may be missing does. */
const RETRY_MS = { interval: 500, limit: 15_000 } as const;
const MAX_ERRORS = 200;

/** A claimed run. Its id is the fencing token: a run that ended accepts no write. */
export interface RunRef {
  readonly runId: string;
  readonly configId: string;
  readonly startedAt: number;
}

/** `hostsTotal` is what the provider counts; `hostsSeen` are written: created, updated or unchanged. */
export type RunCounters = Record<(typeof SYNC_RUN_COUNTERS)[number], number>;

/** The run was cancelled, or taken for lost, while its owner was at work. */
export class RunEnded extends Error {
  override readonly name = "RunEnded";
}

export interface RunReport {
  add(error: SyncRunError): void;
  count(difference: Partial<RunCounters>): void;
}

export interface RunWriter extends RunReport, AsyncDisposable {
  readonly counters: Readonly<RunCounters>;
  readonly errors: readonly SyncRunError[];
  /** One transaction of the run, one at a time. `change` returns what it adds to the counters. Throws RunEnded. */
  write(change: (em: EntityManager) => Promise<Partial<RunCounters>>): Promise<void>;
  /** Ends the run, with `change` in the same transaction. Throws RunEnded. */
  end(status: SyncStatus, change: (em: EntityManager) => Promise<void>): Promise<SyncRun>;
}

type WriterDeps = Pick<Deps, "em" | "bus" | "clock">;

/** Counts what a run does, and publishes it in its row and as events until disposed. */
export function openRunWriter(deps: WriterDeps, run: RunRef, onFailure: (error: unknown) => void): RunWriter {
  const counters = zeroCounters();
  const kept: SyncRunError[] = [];
  let dropped = 0;
  const oneAtATime = pLimit(1);

  const errors = () => (dropped === 0 ? kept : [...kept, moreErrors(kept.length, dropped)]);
  const state = () => ({ counters, errors: errors() });

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

  async function publishProgress(signal: AbortSignal): Promise<void> {
    const publish = async (em: EntityManager) => {
      const progress = await saveRun(em, run.runId, state());
      await appendEvent(em, { type: "sync.progress", data: progress }, deps.clock.now());
    };
    while (await isTimeToPublish(signal)) await oneAtATime(() => inRun(publish));
  }
  const ending = new AbortController();
  const publishing = publishProgress(ending.signal).catch(onFailure);
  async function stopPublishing(): Promise<void> {
    ending.abort();
    await publishing;
  }

  return {
    counters,
    get errors() {
      return errors();
    },
    count: (difference) => addCounters(counters, difference),
    add(error) {
      if (kept.some((known) => isDeepStrictEqual(known, error))) return;
      if (kept.length < MAX_ERRORS || error.region === null) kept.push(error);
      else dropped += 1;
    },
    write(change) {
      return oneAtATime(async () => {
        const written = await inRun(async (em) => {
          const added = await change(em);
          await saveRun(em, run.runId, { ...state(), counters: addCounters({ ...counters }, added) });
          return added;
        });
        addCounters(counters, written);
      });
    },
    async end(status, change) {
      await stopPublishing();
      const end = async (em: EntityManager) => {
        await change(em);
        const finishedAt = deps.clock.now();
        const ended = await saveRun(em, run.runId, { ...state(), status, finishedAt });
        await appendEvent(em, { type: "sync.finished", data: ended }, finishedAt);
        return ended;
      };
      return await oneAtATime(() => inRun(end));
    },
    [Symbol.asyncDispose]: stopPublishing,
  };
}

async function isTimeToPublish(signal: AbortSignal): Promise<boolean> {
  await sleep(PROGRESS_MS, undefined, { signal }).catch(() => undefined);
  return !signal.aborted;
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
  // A provider may list more hosts than it counts.
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
