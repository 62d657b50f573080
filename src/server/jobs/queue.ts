import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import { PgBoss } from "pg-boss";
import type { Log } from "../core/log.ts";
import type { JobQueue } from "../core/ports.ts";
import { isDatabaseUnavailable } from "../database/errors.ts";
import type { DatabaseConnection } from "../database/open.ts";

// Milliseconds.
const STOP_LIMIT = 8_000;
const ERROR_LOG_INTERVAL = 10_000;
const RETENTION_SECONDS = 3_600;

/** One kind of background work. A handler may run more than once for the same payload, on any replica. */
export interface Job {
  readonly name: string;
  /** The schedule, in UTC; minutes are the finest step. */
  readonly cron?: string;
  /** Seconds between two reads of the queue, 0.5 or more. */
  readonly pollSeconds: number;
  /** The process that sends a message also handles it at once. */
  readonly isBegunBySender?: boolean;
  handle(payload: unknown): Promise<void>;
}

export interface QueueDeps {
  readonly log: Log;
  /** Shared with the ORM: the queue must stop before the ORM closes. */
  readonly pool: Pool;
  readonly database: DatabaseConnection["kind"];
}

/** The durable queue in the schema `pgboss`, with workers for these jobs. Failed jobs are logged and never retried. */
export async function openQueue(
  { pool, database, log }: QueueDeps,
  jobs: readonly Job[],
): Promise<JobQueue & AsyncDisposable> {
  const boss = new PgBoss({
    // Not pg-boss's fromKysely: after an error it returns a connection to the pool in the middle of a transaction.
    db: { executeSql: (text, values) => pool.query(text, values) },
    schema: "pgboss",
    // Both need a second session, which the embedded database does not have.
    reindex: database === "server",
    monitorVacuum: database === "server",
  });
  let isStopping = false;
  let loggedAt = Number.NEGATIVE_INFINITY;
  boss.on("error", (error) => {
    if (isStopping || performance.now() - loggedAt < ERROR_LOG_INTERVAL) return;
    loggedAt = performance.now();
    log.warn({ err: error }, "the job queue has trouble with the database");
  });
  boss.on("warning", ({ message }) => log.warn({ warning: message }, "job queue"));

  async function handle(job: Job, payload: unknown): Promise<void> {
    try {
      await job.handle(payload);
    } catch (error) {
      const level = isDatabaseUnavailable(error) ? "warn" : "error";
      log[level]({ err: error, job: job.name }, "job failed");
    }
  }

  async function register(job: Job): Promise<void> {
    const retention = { retentionSeconds: RETENTION_SECONDS, deleteAfterSeconds: RETENTION_SECONDS };
    await boss.createQueue(job.name, { retryLimit: 0, ...retention });
    if (job.cron !== undefined) await boss.schedule(job.name, job.cron);
    await boss.work(job.name, { pollingIntervalSeconds: job.pollSeconds }, async (messages) => {
      for (const { data } of messages) await handle(job, data);
    });
  }

  /** Running handlers finish first. */
  async function stop(): Promise<void> {
    try {
      await Promise.all(jobs.map(({ name }) => boss.offWork(name, { wait: true })));
      await boss.stop({ graceful: false });
    } catch (error) {
      log.warn({ err: error }, "the job queue did not stop cleanly");
    }
  }

  async function close(): Promise<void> {
    if (isStopping) return;
    isStopping = true;
    await Promise.race([stop(), sleep(STOP_LIMIT, undefined, { ref: false })]);
  }

  try {
    await boss.start();
    for (const job of jobs) await register(job);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    async send(name, payload) {
      const job = jobs.find((one) => one.name === name);
      if (job === undefined) throw new Error(`there is no job named ${name}`);
      if (job.isBegunBySender) await handle(job, payload);
      await boss.send(name, payload);
    },
    [Symbol.asyncDispose]: close,
  };
}
