import { sql } from "kysely";
import pLimit from "p-limit";
import { z } from "zod";
import { Id } from "../../../shared/ids.ts";
import type { SyncRunError, SyncStatus } from "../../../shared/sync.ts";
import { DAY_SECONDS } from "../../../shared/time.ts";
import { isDatabaseUnavailable } from "../../platform/database/errors.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import type { Job } from "../../platform/jobs/job.ts";
import { ProviderFailure } from "../../provider/failure.ts";
import { countEndedRuns, interruptRuns } from "./end-run.ts";
import { executeRun, type RunDeps } from "./run/execute-run.ts";
import { RunEnded, type RunRef, RunWriter, type WriterDeps } from "./run/run-writer.ts";
import { INTERNAL, providerError, RUN_MINUTES, STOPPED, TIMED_OUT } from "./run-errors.ts";

export const SYNC_RUN_JOB = "sync-run";
const RUNS_AT_ONCE = 8;
/** Most of a run is waiting for the provider. More connections than these of the pool's ten would be missing to calls. */
const WRITES_AT_ONCE = 4;
const SyncRunPayload = z.object({ runId: Id });

/** Executes a queued run. A run is claimed once: a redelivered job ends what its former owner left running. */
export function syncRunJob(deps: RunDeps): Job {
  const writes = pLimit(WRITES_AT_ONCE);
  return {
    name: SYNC_RUN_JOB,
    workers: RUNS_AT_ONCE,
    pollSeconds: 4,
    heartbeatRefreshSeconds: 3,
    options: {
      // A run that cannot be claimed, because its row is locked or the database fails, is tried again
      // for some five minutes: at once, then ever less often, but often enough to free a
      // configuration in time whose owner has died.
      retryLimit: 25,
      retryDelay: 1,
      retryBackoff: true,
      retryDelayMax: 15,
      heartbeatSeconds: 15,
      expireInSeconds: 45 * 60,
      retentionSeconds: 14 * DAY_SECONDS,
      deleteAfterSeconds: 3600,
    },
    async handle(payload, { isRedelivery, signal }) {
      const { runId } = SyncRunPayload.parse(payload);
      const own = { ...deps, writes, em: deps.em.fork() };
      const run = await claimRun(own, runId);
      if (run !== null) await runToEnd(own, run, signal);
      else if (
        isRedelivery &&
        (await interruptRuns(own, sql`id = ${runId} and status = 'running'`)) > 0
      ) {
        own.log.warn({ runId }, "sync run interrupted: its owner is gone");
      }
    },
  };
}

/** Null when the run is not queued any more. */
async function claimRun(
  deps: Pick<RunDeps, "em" | "bus" | "clock">,
  id: string,
): Promise<RunRef | null> {
  const startedAt = deps.clock.now();
  const run = await inTransaction(deps, (em) =>
    kyselyOf(em)
      .updateTable("sync_runs")
      .set({ status: "running", startedAt })
      .where("id", "=", id)
      .where("status", "=", "queued")
      .returning("configId")
      .executeTakeFirst(),
  );
  return run === undefined ? null : { runId: id, configId: run.configId, startedAt };
}

/** Rejects when the end could not be written: the queue then delivers the run again. */
async function runToEnd(
  deps: RunDeps & WriterDeps,
  run: RunRef,
  stopping: AbortSignal,
): Promise<void> {
  const log = deps.log.child({ runId: run.runId, configId: run.configId });
  const failed = new AbortController();
  const timeout = AbortSignal.timeout(RUN_MINUTES * 60_000);
  const signal = AbortSignal.any([stopping, timeout, failed.signal]);
  await using writer = new RunWriter(deps, run, (error) => failed.abort(error));

  function explain(cause: unknown): SyncRunError {
    if (stopping.aborted) return STOPPED;
    if (timeout.aborted) return TIMED_OUT;
    if (cause instanceof ProviderFailure) return providerError(cause, null);
    log.error({ err: cause }, "unhandled error in a sync run");
    return INTERNAL;
  }

  async function endEarly(error: unknown): Promise<SyncStatus> {
    failed.abort(error);
    const cause: unknown = signal.reason;
    if (cause instanceof RunEnded || isDatabaseUnavailable(cause)) throw cause;
    // Hosts that came before the failure are valid.
    await writer.addHosts([]).catch(() => undefined);
    writer.add(explain(cause));
    const isPartial =
      writer.counters.hostsSeen > 0 && (timeout.aborted || cause instanceof ProviderFailure);
    if (stopping.aborted) return "interrupted";
    return isPartial ? "partial" : "failed";
  }

  const started = performance.now();
  log.info("sync run started");
  try {
    const status = await executeRun(deps, run, writer, signal).catch(endEarly);
    const ended = await writer.end(status);
    const ms = Math.round(performance.now() - started);
    countEndedRuns(deps, [ended]);
    deps.metrics.syncRunDuration.observe({ config: run.configId, status }, ms / 1000);
    log.info({ status, ms, ...writer.counters, errors: ended.errors.length }, "sync run ended");
  } catch (error) {
    if (!(error instanceof RunEnded)) throw error;
    log.warn("sync run was cancelled or taken for lost");
  }
}
