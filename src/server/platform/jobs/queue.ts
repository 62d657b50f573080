import { setTimeout as sleep } from "node:timers/promises";
import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { Pool } from "pg";
import { fromKysely, type JobOptions, type JobWithMetadata, PgBoss } from "pg-boss";
import { isDatabaseUnavailable } from "../database/errors.ts";
import type { DatabaseConnection } from "../database/open.ts";
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
 * `startAfter`: so many seconds from now, or that moment. `singletonKey`: the queue's `policy`
 * limits the jobs of one key; without a policy it limits nothing.
 */
export type SendOptions = Pick<JobOptions, "startAfter" | "singletonKey">;

export interface JobQueue {
  /** Enqueues in the transaction of `em`. False when the queue's policy allows no further job. */
  send(
    em: SqlEntityManager,
    job: string,
    payload: Readonly<Record<string, string>>,
    options?: SendOptions,
  ): Promise<boolean>;
  /** Makes the workers of this process fetch the job now; call it after the commit. */
  wake(job: string): void;
}

export interface QueueDeps {
  readonly log: Log;
  /** Shared with the ORM: the queue must stop before the ORM closes. */
  readonly pool: Pool;
  readonly database: DatabaseConnection["kind"];
}

export async function openQueue(
  deps: QueueDeps,
  jobs: readonly Job[],
): Promise<JobQueue & AsyncDisposable> {
  const { pool, database, log } = deps;
  const boss = new PgBoss({
    // Not pg-boss's fromKysely: after an error it returns a connection to the pool in the middle of
    // a transaction.
    db: { executeSql: (text, values) => pool.query(text, values) },
    schema: "pgboss",
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
    // Both need a second session, which the embedded database does not have.
    reindex: database === "server",
    monitorVacuum: database === "server",
  });
  const stopping = new AbortController();
  let loggedAt = Number.NEGATIVE_INFINITY;
  boss.on("error", (error) => {
    if (stopping.signal.aborted || performance.now() - loggedAt < ERROR_LOG_INTERVAL_MS) return;
    loggedAt = performance.now();
    log.warn({ err: error }, "the job queue has trouble with the database");
  });
  boss.on("warning", ({ message }) => log.warn({ warning: message }, "job queue"));

  async function register(job: Job): Promise<void> {
    const { name, workers = 1, heartbeatRefreshSeconds } = job;
    const { policy, ...options } = job.options ?? DEFAULT_OPTIONS;
    await boss.createQueue(name, policy === undefined ? options : { ...options, policy });
    // A queue that exists keeps its options otherwise. Its policy can never be changed.
    await boss.updateQueue(name, options);
    if (job.cron !== undefined) await boss.schedule(name, job.cron);
    const heartbeat = heartbeatRefreshSeconds === undefined ? {} : { heartbeatRefreshSeconds };
    const polling = { pollingIntervalSeconds: job.pollSeconds, localConcurrency: workers };
    await boss.work(
      name,
      { ...polling, ...heartbeat, includeMetadata: true },
      async ([message]) => {
        if (message === undefined) return;
        const signal = AbortSignal.any([message.signal, stopping.signal]);
        try {
          await sendRepetitions(job, message);
          await job.handle(message.data, {
            isRedelivery: message.retryCount > 0,
            signal,
            jobs: queue,
          });
        } catch (error) {
          log[isDatabaseUnavailable(error) ? "warn" : "error"](
            { err: error, job: name },
            "job failed",
          );
          throw error;
        }
      },
    );
  }

  /** Only what the schedule sent is repeated: neither a repetition nor a second delivery. */
  async function sendRepetitions(job: Job, message: JobWithMetadata<unknown>): Promise<void> {
    const { name, repeatAfterSeconds = [] } = job;
    if (message.retryCount > 0 || isRepetition(message.data)) return;
    for (const startAfter of repeatAfterSeconds) await boss.send(name, REPETITION, { startAfter });
  }

  async function stop(): Promise<void> {
    try {
      await Promise.all(jobs.map(({ name }) => boss.offWork(name, { wait: true })));
      await boss.stop({ graceful: false });
    } catch (error) {
      log.warn({ err: error }, "the job queue did not stop cleanly");
    }
  }

  let closed: Promise<void> | undefined;
  function close(): Promise<void> {
    stopping.abort();
    closed ??= Promise.race([stop(), sleep(STOP_LIMIT_MS, undefined, { ref: false })]);
    return closed;
  }

  const queue: JobQueue & AsyncDisposable = {
    async send(em, job, payload, options = {}) {
      const id = await boss.send(job, payload, { ...options, db: fromKysely(em.getKysely()) });
      return id !== null;
    },
    wake(job) {
      // The id that `work` answers is that of its first worker only.
      for (const { id, name } of boss.getWipData()) if (name === job) boss.notifyWorker(id);
    },
    [Symbol.asyncDispose]: close,
  };

  try {
    await boss.start();
    for (const job of jobs) await register(job);
  } catch (error) {
    await close();
    throw error;
  }
  return queue;
}

function isRepetition(payload: unknown): boolean {
  return typeof payload === "object" && payload !== null && "isRepetition" in payload;
}
