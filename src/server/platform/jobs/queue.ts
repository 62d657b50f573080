import { setTimeout as sleep } from "node:timers/promises";
import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { Pool } from "pg";
import { fromKysely, type JobOptions, type JobWithMetadata, PgBoss } from "pg-boss";
import { afterCommit } from "../database/after-commit.ts";
import { isDatabaseUnavailable } from "../database/errors.ts";
import type { DatabaseConnection } from "../database/open.ts";
import type { LocalBus } from "../local-bus.ts";
import type { Log } from "../log.ts";
import type { Job } from "./job.ts";

const STOP_LIMIT_MS = 8_000;
const ERROR_LOG_INTERVAL_MS = 10_000;
/** How soon a job whose worker was lost is delivered again, after its heartbeat ran out. */
const SUPERVISE_SECONDS = 5;
const DEFAULT_OPTIONS: NonNullable<Job["options"]> = {
  retryLimit: 0,
  retentionSeconds: 3_600,
  deleteAfterSeconds: 3_600,
};

const REPETITION = { isRepetition: true } as const;

/**
 * `priority`: 0 by default; a waiting job of a higher one is delivered first. `startAfter`: so many
 * seconds from now, or that moment. `singletonKey`: the queue's `policy` limits the jobs of one key;
 * without a policy it limits nothing, and is a name for `raisePriority`.
 */
export type SendOptions = Pick<JobOptions, "priority" | "startAfter" | "singletonKey">;

export interface JobQueue {
  /**
   * Enqueues in the transaction of `em`, and wakes the workers of this process after its commit
   * unless the job is to wait. False when the queue's policy allows no further job.
   */
  send(
    em: SqlEntityManager,
    job: string,
    payload: Readonly<Record<string, string>>,
    options?: SendOptions,
  ): Promise<boolean>;
  /** Gives the waiting job of this key another priority, in the same way. */
  raisePriority(
    em: SqlEntityManager,
    job: string,
    target: { readonly singletonKey: string; readonly priority: number },
  ): Promise<void>;
}

export interface QueueDeps {
  /** Tells which jobs have been sent. */
  readonly bus: LocalBus;
  readonly log: Log;
  /** Shared with the ORM: the queue must stop before the ORM closes. */
  readonly pool: Pool;
  readonly database: DatabaseConnection["kind"];
}

/** Starts the queue and its workers. Disposing it lets jobs under way end, for some seconds. */
export async function openQueue(
  deps: QueueDeps,
  jobs: readonly Job[],
): Promise<JobQueue & AsyncDisposable> {
  const queue = new PgBossQueue(deps, jobs);
  try {
    await queue.start();
  } catch (error) {
    await queue[Symbol.asyncDispose]();
    throw error;
  }
  return queue;
}

class PgBossQueue implements JobQueue, AsyncDisposable {
  readonly #boss: PgBoss;
  readonly #bus: LocalBus;
  readonly #jobs: readonly Job[];
  readonly #log: Log;
  readonly #wake = (job: string) => this.#wakeWorkers(job);
  /** Aborts the signals of jobs under way. */
  readonly #stopping = new AbortController();
  #errorLoggedAt = Number.NEGATIVE_INFINITY;
  #stopped: Promise<void> | undefined;

  constructor({ bus, pool, database, log }: QueueDeps, jobs: readonly Job[]) {
    this.#bus = bus;
    this.#jobs = jobs;
    this.#log = log;
    this.#boss = new PgBoss({
      // Not pg-boss's fromKysely: after an error it returns a connection to the pool in the middle
      // of a transaction.
      db: { executeSql: (text, values) => pool.query(text, values) },
      schema: "pgboss",
      superviseIntervalSeconds: SUPERVISE_SECONDS,
      monitorIntervalSeconds: SUPERVISE_SECONDS,
      // Both need a second session, which the embedded database does not have.
      reindex: database === "server",
      monitorVacuum: database === "server",
    });
    this.#boss.on("error", (error) => this.#logError(error));
    this.#boss.on("warning", ({ message }) => log.warn({ warning: message }, "job queue"));
  }

  /**
   * All queues first: a worker may have work at once, and send a job to a queue that the version
   * before did not have.
   */
  async start(): Promise<void> {
    await this.#boss.start();
    for (const job of this.#jobs) await this.#createQueue(job);
    for (const job of this.#jobs) await this.#startWorkers(job);
    this.#bus.on("job.sent", this.#wake);
  }

  async send(
    em: SqlEntityManager,
    job: string,
    payload: Readonly<Record<string, string>>,
    options: SendOptions = {},
  ): Promise<boolean> {
    const db = fromKysely(em.getKysely());
    const id = await this.#boss.send(job, payload, { ...options, db });

    // Also where the policy allows no further job: the one that is there may be due by now.
    const { startAfter = 0 } = options;
    if (startAfter === 0) this.#announce(em, job);
    return id !== null;
  }

  async raisePriority(
    em: SqlEntityManager,
    job: string,
    target: { readonly singletonKey: string; readonly priority: number },
  ): Promise<void> {
    const db = fromKysely(em.getKysely());
    await this.#boss.update(job, undefined, { ...target, db });
    this.#announce(em, job);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#bus.off("job.sent", this.#wake);
    this.#stopping.abort();
    this.#stopped ??= Promise.race([this.#stop(), sleep(STOP_LIMIT_MS, undefined, { ref: false })]);
    await this.#stopped;
  }

  /**
   * A worker looks for jobs now and then. So that a job which is due at once does not wait for that,
   * the workers of this process are woken after the commit: before it they would find nothing, and
   * after a rollback there is nothing.
   */
  #announce(em: SqlEntityManager, job: string): void {
    if (em.getTransactionContext() === undefined) return;
    afterCommit(em, () => this.#bus.emit("job.sent", job));
  }

  #wakeWorkers(job: string): void {
    // The id that `work` answers is that of its first worker only.
    for (const { id, name } of this.#boss.getWipData()) {
      if (name === job) this.#boss.notifyWorker(id);
    }
  }

  async #createQueue(job: Job): Promise<void> {
    const { name, cron } = job;
    const { policy, ...options } = job.options ?? DEFAULT_OPTIONS;
    await this.#boss.createQueue(name, policy === undefined ? options : { ...options, policy });
    // A queue that exists keeps its options otherwise. Its policy can never be changed.
    await this.#boss.updateQueue(name, options);
    if (cron !== undefined) await this.#boss.schedule(name, cron);
  }

  async #startWorkers(job: Job): Promise<void> {
    const { name, pollSeconds, workers = 1, keptWorkers = 0, heartbeatRefreshSeconds } = job;
    const options = {
      pollingIntervalSeconds: pollSeconds,
      includeMetadata: true,
      ...(heartbeatRefreshSeconds === undefined ? {} : { heartbeatRefreshSeconds }),
    } as const;
    const handle = async ([message]: readonly JobWithMetadata<unknown>[]) => {
      if (message !== undefined) await this.#handle(job, message);
    };

    const forAll = { ...options, localConcurrency: workers - keptWorkers };
    await this.#boss.work(name, forAll, handle);
    if (keptWorkers === 0) return;

    const forPriority = { ...options, localConcurrency: keptWorkers, minPriority: 1 };
    await this.#boss.work(name, forPriority, handle);
  }

  async #handle(job: Job, message: JobWithMetadata<unknown>): Promise<void> {
    try {
      await this.#sendRepetitions(job, message);
      await job.handle(message.data, {
        isRedelivery: message.retryCount > 0,
        signal: AbortSignal.any([message.signal, this.#stopping.signal]),
        jobs: this,
      });
    } catch (error) {
      // What a stop has cut off is no failure: it is delivered again.
      if (error !== this.#stopping.signal.reason) {
        const level = isDatabaseUnavailable(error) ? "warn" : "error";
        this.#log[level]({ err: error, job: job.name }, "job failed");
      }
      throw error;
    }
  }

  /** Only what the schedule sent is repeated: neither a repetition nor a second delivery. */
  async #sendRepetitions(job: Job, message: JobWithMetadata<unknown>): Promise<void> {
    const { name, repeatAfterSeconds = [] } = job;
    if (message.retryCount > 0 || isRepetition(message.data)) return;

    for (const startAfter of repeatAfterSeconds) {
      await this.#boss.send(name, REPETITION, { startAfter });
    }
  }

  /** While the database is away, every worker fails at every poll: one line in ten seconds. */
  #logError(error: unknown): void {
    const now = performance.now();
    const isRecent = now - this.#errorLoggedAt < ERROR_LOG_INTERVAL_MS;
    if (this.#stopping.signal.aborted || isRecent) return;

    this.#errorLoggedAt = now;
    this.#log.warn({ err: error }, "the job queue has trouble with the database");
  }

  async #stop(): Promise<void> {
    try {
      await Promise.all(this.#jobs.map(({ name }) => this.#boss.offWork(name, { wait: true })));
      await this.#boss.stop({ graceful: false });
    } catch (error) {
      this.#log.warn({ err: error }, "the job queue did not stop cleanly");
    }
  }
}

function isRepetition(payload: unknown): boolean {
  return typeof payload === "object" && payload !== null && "isRepetition" in payload;
}
