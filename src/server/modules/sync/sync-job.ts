import { z } from "zod";
import { Id } from "../../../shared/ids.ts";
import type { SyncRunError, SyncStatus } from "../../../shared/sync.ts";
import { DAY_SECONDS } from "../../../shared/time.ts";
import { isDatabaseUnavailable } from "../../platform/database/errors.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import type { Job } from "../../platform/jobs/job.ts";
import type { Log } from "../../platform/log.ts";
import { ProviderFailure } from "../../provider/failure.ts";
import type { SyncDeps, SyncJobDeps } from "./deps.ts";
import { countEndedRuns, interruptRuns } from "./end-run.ts";
import { executeRun } from "./run/execute-run.ts";
import { RunEnded, type RunRef } from "./run/run-row.ts";
import { RunWriter } from "./run/run-writer.ts";
import { INTERNAL, providerError, RUN_MINUTES, STOPPED, TIMED_OUT } from "./run-errors.ts";
import { updateBalance } from "./update-balance.ts";

export const SYNC_RUN_JOB = "sync-run";
const RUNS_AT_ONCE = 8;
/**
 * How many of these workers take only runs that a person started: a scheduled one may take half an
 * hour.
 */
const KEPT_FOR_PEOPLE = 1;
const SyncRunPayload = z.object({ runId: Id });

/**
 * Executes a queued run.
 *
 * A run is claimed once in its life, by moving it from queued to running. The queue delivers a job
 * again when its worker's heartbeat is missing, and that delivery cannot claim the run: it ends
 * what the former worker left running. It does not go on with it, as nobody knows what that worker
 * had asked for and not yet written; the hosts it wrote are valid, and the next run reads
 * everything anew. Should the former worker only have been frozen, its next write finds the run
 * ended and is refused (`lockRunningRun`).
 */
export function syncRunJob(deps: SyncJobDeps): Job {
  return {
    name: SYNC_RUN_JOB,
    workers: RUNS_AT_ONCE,
    keptWorkers: KEPT_FOR_PEOPLE,
    pollSeconds: 4,
    heartbeatRefreshSeconds: 3,
    options: {
      // A run that cannot be claimed, because its row is locked or the database fails, is tried
      // again for some five minutes: at once, then ever less often, but often enough to free a
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
    async handle(payload, { isRedelivery, signal, jobs }) {
      const { runId } = SyncRunPayload.parse(payload);
      const own = { ...deps, jobs, em: deps.em.fork() };

      const run = await claimRun(own, runId);
      if (run !== null) {
        await runToEnd(own, run, signal);
        return;
      }
      if (!isRedelivery) return;

      const interrupted = await interruptRuns(own, "job.sync-run", [runId]);
      if (interrupted > 0) own.log.warn({ runId }, "sync run interrupted: its owner is gone");
    },
  };
}

/** Null when the run is not queued any more. */
async function claimRun(
  deps: Pick<SyncJobDeps, "em" | "bus" | "clock">,
  runId: string,
): Promise<RunRef | null> {
  const startedAt = deps.clock.now();
  const claimed = await inTransaction(deps, (em) =>
    kyselyOf(em)
      .updateTable("sync_runs")
      .set({ status: "running", startedAt })
      .where("id", "=", runId)
      .where("status", "=", "queued")
      .returning("configId")
      .executeTakeFirst(),
  );
  return claimed === undefined ? null : { runId, configId: claimed.configId, startedAt };
}

/** Rejects when the end could not be written: the queue then delivers the run again. */
async function runToEnd(deps: SyncDeps, run: RunRef, stopping: AbortSignal): Promise<void> {
  const log = deps.log.child({ runId: run.runId, configId: run.configId });
  const timeout = AbortSignal.timeout(RUN_MINUTES * 60_000);
  const failed = new AbortController();
  const signal = AbortSignal.any([stopping, timeout, failed.signal]);
  await using writer = new RunWriter(deps, run, (error) => failed.abort(error));

  async function endEarly(error: unknown): Promise<SyncStatus> {
    // What a signal ended fails with whatever it was waiting for; the signal has the reason.
    const cause: unknown = signal.aborted ? signal.reason : error;
    // Other partitions are still being read.
    failed.abort(error);
    if (cause instanceof RunEnded || isDatabaseUnavailable(cause)) throw cause;

    // Hosts that came before the failure are valid.
    await writer.drain().catch(() => undefined);
    const { hostsSeen } = writer.counters;
    const end = describeEarlyEnd(log, { cause, stopping, timeout, hostsSeen });
    writer.add(end.error);
    return end.status;
  }

  const started = performance.now();
  log.info("sync run started");
  try {
    const status = await executeRun(deps, run, writer, signal).catch(endEarly);
    await updateBalance(deps, run.configId, AbortSignal.any([stopping, timeout]));
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

interface EarlyEnd {
  readonly status: SyncStatus;
  readonly error: SyncRunError;
}

interface EarlyEndEvidence {
  /** What came first: the reason of a signal, or what was thrown. */
  readonly cause: unknown;
  readonly stopping: AbortSignal;
  readonly timeout: AbortSignal;
  readonly hostsSeen: number;
}

/** The result of a run that did not read everything: partial when it was the provider's doing. */
function describeEarlyEnd(
  log: Log,
  { cause, stopping, timeout, hostsSeen }: EarlyEndEvidence,
): EarlyEnd {
  const status = hostsSeen > 0 ? "partial" : "failed";
  if (stopping.aborted) return { status: "interrupted", error: STOPPED };
  if (timeout.aborted) return { status, error: TIMED_OUT };
  if (cause instanceof ProviderFailure) return { status, error: providerError(cause, null) };

  log.error({ err: cause }, "unhandled error in a sync run");
  return { status: "failed", error: INTERNAL };
}
