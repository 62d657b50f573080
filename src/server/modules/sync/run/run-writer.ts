import { setTimeout as sleep } from "node:timers/promises";
import type { EntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import pLimit, { type LimitFunction } from "p-limit";
import type { SyncRun, SyncRunError, SyncStatus } from "../../../../shared/sync.ts";
import { isDatabaseUnavailable } from "../../../platform/database/errors.ts";
import { kyselyOf } from "../../../platform/database/kysely.ts";
import { inTransaction } from "../../../platform/database/transaction.ts";
import type { Deps } from "../../../platform/deps.ts";
import { appendEvent } from "../../../platform/events/append.ts";
import type { CrawlProgress } from "../crawl.ts";
import { publishChanges } from "../events.ts";
import { type SeenHost, writeHosts } from "../host-store.ts";
import { presentSyncRun, type RunCounters, SYNC_RUN_COUNTERS } from "../queries.ts";
import { limitErrors } from "../run-errors.ts";

const PROGRESS_MS = 500;
/** A restarting database costs no run; one that is away longer than the owner's heartbeat may be missing does. */
const RETRY_MS = { interval: 500, limit: 15_000 } as const;
const BATCH_SIZE = 500;

/** A claimed run. Its id is the fencing token: a run that ended accepts no write. */
export interface RunRef {
  readonly runId: string;
  readonly configId: string;
  readonly startedAt: number;
}

/** The run was cancelled, or taken for lost, while its owner was at work. */
export class RunEnded extends Error {
  override readonly name = "RunEnded";
}

export type WriterDeps = Pick<Deps, "em" | "bus" | "clock"> & {
  /** Shared by the runs of this process: bounds their transactions at once. */
  readonly writes: LimitFunction;
};

type Change = (em: EntityManager) => Promise<Partial<RunCounters>>;
const NO_CHANGE: Change = async () => ({});

type RunEvent = "sync.progress" | "sync.finished";
type RunEnd = Partial<Pick<SyncRun, "status" | "finishedAt">>;

/** Counts what a run does, and publishes it in its row and as events until disposed. One transaction at a time; each throws RunEnded. */
export class RunWriter implements CrawlProgress, AsyncDisposable {
  readonly #deps: WriterDeps;
  readonly #run: RunRef;
  readonly counters = zeroCounters();
  readonly #errors = new Map<string, SyncRunError>();
  readonly #waiting: SeenHost[] = [];
  readonly #oneAtATime = pLimit(1);
  readonly #ending = new AbortController();
  readonly #publishing: Promise<void>;

  constructor(deps: WriterDeps, run: RunRef, onFailure: (error: unknown) => void) {
    this.#deps = deps;
    this.#run = run;
    this.#publishing = this.#publishProgress().catch(onFailure);
  }

  get errors(): readonly SyncRunError[] {
    return [...this.#errors.values()];
  }

  add(error: SyncRunError): void {
    this.#errors.set(JSON.stringify(error), error);
  }

  count(difference: Partial<RunCounters>): void {
    addCounters(this.counters, difference);
  }

  /** Those that come while a batch is written form the next one. Without hosts: waits for that batch. */
  async addHosts(hosts: readonly SeenHost[]): Promise<void> {
    for (let start = 0; start === 0 || start < hosts.length; start += BATCH_SIZE) {
      this.#waiting.push(...hosts.slice(start, start + BATCH_SIZE));
      await this.#oneAtATime(() => this.#writeBatch(this.#waiting.splice(0, BATCH_SIZE)));
    }
  }

  async write(change: Change): Promise<void> {
    await this.#oneAtATime(() => this.#save(change));
  }

  async end(status: SyncStatus): Promise<SyncRun> {
    await this[Symbol.asyncDispose]();
    const end = { status, finishedAt: this.#deps.clock.now() };
    return await this.#oneAtATime(() => this.#save(NO_CHANGE, "sync.finished", end));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort();
    await this.#publishing;
  }

  async #publishProgress(): Promise<void> {
    const { signal } = this.#ending;
    while (await sleep(PROGRESS_MS, true, { signal }).catch(() => false)) {
      await this.#oneAtATime(() => this.#save(NO_CHANGE, "sync.progress"));
    }
  }

  async #writeBatch(batch: readonly SeenHost[]): Promise<void> {
    const { configId } = this.#run;
    if (batch.length === 0) return;
    await this.#save(async (em) => {
      const now = this.#deps.clock.now();
      const hosts = await writeHosts(em, configId, batch, now);
      await publishChanges(em, { configId, hosts }, now);
      const created = hosts.filter(({ kind }) => kind === "created").length;
      const unchanged = batch.length - hosts.length;
      return { hostsSeen: batch.length, created, updated: hosts.length - created, unchanged };
    });
  }

  /** Locks the run's row first: nobody ends the run before the commit. */
  async #save(change: Change, event?: RunEvent, end: RunEnd = {}): Promise<SyncRun> {
    const { runId } = this.#run;
    const attempt = async (em: EntityManager) => {
      const live = kyselyOf(em).selectFrom("sync_runs").select("id").where("id", "=", runId);
      if (!(await live.where("status", "=", "running").forUpdate().executeTakeFirst()))
        throw new RunEnded();
      const added = await change(em);
      const counters = addCounters({ ...this.counters }, added);
      // A provider may list more hosts than it counts.
      counters.hostsTotal = Math.max(counters.hostsTotal, counters.hostsSeen);
      const row = await kyselyOf(em)
        .updateTable("sync_runs")
        .set({
          ...counters,
          ...end,
          errors: sql`${JSON.stringify(limitErrors(this.errors))}::jsonb`,
        })
        .where("id", "=", runId)
        .returningAll()
        .executeTakeFirstOrThrow();
      const saved = presentSyncRun(row);
      if (event !== undefined)
        await appendEvent(em, { type: event, data: saved }, this.#deps.clock.now());
      return { added, saved };
    };
    const { added, saved } = await whileDatabaseRestarts(() =>
      this.#deps.writes(() => inTransaction(this.#deps, attempt)),
    );
    this.count(added);
    return saved;
  }
}

function zeroCounters(): RunCounters {
  const hosts = {
    hostsTotal: 0,
    hostsSeen: 0,
    created: 0,
    updated: 0,
    unchanged: 0,
    gone: 0,
    rejected: 0,
  };
  return { regionsTotal: 0, regionsDone: 0, ...hosts };
}

function addCounters(counters: RunCounters, difference: Partial<RunCounters>): RunCounters {
  for (const name of SYNC_RUN_COUNTERS) counters[name] += difference[name] ?? 0;
  return counters;
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
