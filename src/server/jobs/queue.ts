import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import { type Job as BossJob, PgBoss } from "pg-boss";
import type { Log } from "../core/log.ts";
import type { JobQueue } from "../core/ports.ts";
import { isDatabaseUnavailable } from "../database/errors.ts";
import type { DatabaseConnection } from "../database/open.ts";
import type { SyncWorker } from "../sync/worker.ts";
import { type CleanUpDeps, cleanUpJob } from "./clean-up.ts";
import type { Job } from "./job.ts";
import { maintenanceJob } from "./maintenance.ts";
import { type ReapRunsDeps, reapRunsJob } from "./reap-runs.ts";
import { runSyncJob } from "./run-sync.ts";

/** How long stopping may take, in ms. */
const STOP_LIMIT = 8_000;
/** Between tries to open it while the database is away, in ms. */
const RETRY_MS = 1_000;
/** One line in this time about a database that is away, in ms. */
const ERROR_LOG_INTERVAL = 10_000;
/** Messages are of no use later than this, done ones not worth keeping longer; seconds. */
const KEPT_SECONDS = 3_600;

export type QueueDeps = CleanUpDeps &
  ReapRunsDeps & {
    readonly log: Log;
    /** Shared with the ORM: the queue must stop before that closes. */
    readonly pool: Pool;
    readonly database: DatabaseConnection["kind"];
    readonly worker: SyncWorker;
    /** Ends the waiting for a database that is away. */
    readonly signal: AbortSignal;
  };

/**
 * Every kind of background work, on the queue that all replicas share. A server that answers already does not die of a database that
 * goes away while its queue is opened: it is opened anew until that is back.
 */
export async function startQueue(deps: QueueDeps): Promise<JobQueue & AsyncDisposable> {
  const { log, signal } = deps;
  for (let failures = 0; ; failures++) {
    try {
      const jobs = [runSyncJob(deps.worker), cleanUpJob(deps), reapRunsJob(deps)];
      return await openQueue(deps, deps.database === "embedded" ? [...jobs, maintenanceJob(deps)] : jobs);
    } catch (error) {
      if (signal.aborted || !isDatabaseUnavailable(error)) throw error;
      if (failures === 0) log.warn({ err: error }, "the job queue cannot be opened, retrying");
    }
    await sleep(RETRY_MS, undefined, { signal });
  }
}

/**
 * The durable queue, in the schema `pgboss` of the same database, with these jobs worked on here. Nothing is tried again: handlers
 * keep the truth in their own rows. Trouble with the database is logged; the queue goes on when that is back.
 */
export async function openQueue(
  { pool, database, log }: Pick<QueueDeps, "pool" | "database" | "log">,
  jobs: readonly Job[],
): Promise<JobQueue & AsyncDisposable> {
  const boss = new PgBoss({
    // Not pg-boss's fromKysely: after an error it returns a connection to the pool in the middle of a transaction.
    db: { executeSql: (text, values) => pool.query(text, values) },
    schema: "pgboss",
    // Need a second session, which the embedded database does not have.
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

  async function close(): Promise<void> {
    if (isStopping) return;
    isStopping = true;
    const stopped = stop(boss, jobs).catch((error: unknown) =>
      log.warn({ err: error }, "the job queue did not stop cleanly"),
    );
    const limit = new AbortController();
    await Promise.race([stopped, sleep(STOP_LIMIT, undefined, { signal: limit.signal }).catch(() => undefined)]);
    limit.abort();
  }

  try {
    await boss.start();
    for (const job of jobs) await register(boss, job, log);
  } catch (error) {
    // What has begun already would keep the process alive and asking.
    await close();
    throw error;
  }

  return {
    async send(name, payload) {
      const job = jobs.find((one) => one.name === name);
      if (job === undefined) throw new Error(`there is no job named ${name}`);
      if (job.isBegunBySender) await handle(job, payload, log);
      await boss.send(name, payload);
    },
    [Symbol.asyncDispose]: close,
  };
}

async function register(boss: PgBoss, job: Job, log: Log): Promise<void> {
  await boss.createQueue(job.name, { retryLimit: 0, retentionSeconds: KEPT_SECONDS, deleteAfterSeconds: KEPT_SECONDS });
  if (job.cron !== undefined) await boss.schedule(job.name, job.cron);
  await boss.work(job.name, { pollingIntervalSeconds: job.pollSeconds }, async (messages: BossJob<unknown>[]) => {
    for (const { data } of messages) await handle(job, data, log);
  });
}

async function handle(job: Job, payload: unknown, log: Log): Promise<void> {
  try {
    await job.handle(payload);
  } catch (error) {
    // It comes due again, or its row is found without it.
    if (isDatabaseUnavailable(error)) log.warn({ err: error, job: job.name }, "job failed");
    else log.error({ err: error, job: job.name }, "job failed");
  }
}

/** What is being handled is finished first. */
async function stop(boss: PgBoss, jobs: readonly Job[]): Promise<void> {
  await Promise.all(jobs.map(({ name }) => boss.offWork(name, { wait: true })));
  await boss.stop({ graceful: false });
}
