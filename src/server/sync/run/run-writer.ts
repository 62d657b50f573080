import { setTimeout as sleep } from "node:timers/promises";
import type { EntityManager, SqlEntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import pLimit from "p-limit";
import type { SyncRun, SyncRunError, SyncStatus } from "../../../shared/sync.ts";
import type { Deps } from "../../core/deps.ts";
import { isDatabaseUnavailable } from "../../database/errors.ts";
import { kyselyOf } from "../../database/kysely.ts";
import { inTransaction } from "../../database/transaction.ts";
import { appendEvent } from "../../events/append.ts";
import { presentSyncRun, SYNC_RUN_COLUMNS, SYNC_RUN_COUNTERS } from "../present.ts";
import { limitErrors } from "./run-errors.ts";

const PROGRESS_MS = 500;
/** A restarting database costs no run; one that is away longer than the owner's heartbeat may be missing does. */
const RETRY_MS = { interval: 500, limit: 15_000 } as const;

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

export interface RunProgress {
  add(error: SyncRunError): void;
  count(difference: Partial<RunCounters>): void;
}

export interface RunWriter extends RunProgress, AsyncDisposable {
  readonly counters: Readonly<RunCounters>;
  readonly errors: readonly SyncRunError[];
  /** One transaction of the run, one at a time. Throws RunEnded. */
  write(change: Change): Promise<void>;
  /** Throws RunEnded. */
  end(status: SyncStatus): Promise<SyncRun>;
}

type Change = (em: EntityManager) => Promise<Partial<RunCounters> | undefined>;
const NO_CHANGE: Change = async () => undefined;
type RunEnd = Partial<Pick<SyncRun, "status" | "finishedAt">>;

type WriterDeps = Pick<Deps, "em" | "bus" | "clock">;

/** Counts what a run does, and publishes it in its row and as events until disposed. */
export function openRunWriter(deps: WriterDeps, run: RunRef, onFailure: (error: unknown) => void): RunWriter {
  const counters = zeroCounters();
  const errors = new Map<string, SyncRunError>();
  const oneAtATime = pLimit(1);

  /** Locks the run's row first: nobody ends the run before the commit. */
  function save(change: Change, event?: "sync.progress" | "sync.finished", end: RunEnd = {}): Promise<SyncRun> {
    const attempt = () =>
      inTransaction(deps, async (em) => {
        const live = kyselyOf(em).selectFrom("sync_runs").select("id").where("id", "=", run.runId);
        if (!(await live.where("status", "=", "running").forUpdate().executeTakeFirst())) throw new RunEnded();
        const added = (await change(em)) ?? {};
        const state = { ...addCounters({ ...counters }, added), errors: limitErrors([...errors.values()]), ...end };
        const saved = await updateRun(em, run.runId, state);
        if (event !== undefined) await appendEvent(em, { type: event, data: saved }, deps.clock.now());
        return { added, saved };
      });
    return oneAtATime(async () => {
      const { added, saved } = await whileDatabaseRestarts(attempt);
      addCounters(counters, added);
      return saved;
    });
  }

  const ending = new AbortController();
  async function publishProgress(): Promise<void> {
    const { signal } = ending;
    while (await sleep(PROGRESS_MS, true, { signal }).catch(() => false)) await save(NO_CHANGE, "sync.progress");
  }
  const publishing = publishProgress().catch(onFailure);
  async function stopPublishing(): Promise<void> {
    ending.abort();
    await publishing;
  }

  return {
    counters,
    get errors() {
      return [...errors.values()];
    },
    count: (difference) => addCounters(counters, difference),
    add: (error) => void errors.set(JSON.stringify(error), error),
    write: async (change) => void (await save(change)),
    async end(status) {
      await stopPublishing();
      return await save(NO_CHANGE, "sync.finished", { status, finishedAt: deps.clock.now() });
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

async function updateRun(
  em: SqlEntityManager,
  id: string,
  { errors, ...state }: RunCounters & RunEnd & { readonly errors: readonly SyncRunError[] },
): Promise<SyncRun> {
  // A provider may list more hosts than it counts.
  const hostsTotal = Math.max(state.hostsTotal, state.hostsSeen);
  const row = await kyselyOf(em)
    .updateTable("sync_runs")
    .set({ ...state, hostsTotal, errors: sql`${JSON.stringify(errors)}::jsonb` })
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
