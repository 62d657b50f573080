import type { SyncStatus } from "../../../shared/sync.ts";
import { connectProvider } from "../../configs/connect-provider.ts";
import { ConfigEntity } from "../../configs/entity.ts";
import type { Deps } from "../../core/deps.ts";
import { isDatabaseUnavailable } from "../../database/errors.ts";
import { HostEntity } from "../../hosts/entity.ts";
import type { ClientLimits, ObservedCall } from "../../provider/client.ts";
import { ProviderFailure } from "../../provider/failure.ts";
import { decideAbsences, findMissingHosts, partitionsOf } from "../absence/decide.ts";
import type { Reading } from "../absence/policy.ts";
import { countEndedRuns } from "../end-run.ts";
import { type BatchWriter, createBatchWriter } from "./batch-writer.ts";
import { Crawl } from "./crawl.ts";
import type { SeenHost } from "./host-sink.ts";
import { discoverPartitions, type Partition, partitionKey } from "./partitions.ts";
import {
  INTERNAL,
  NOTHING_OPENED,
  PROVIDER_SILENT,
  providerError,
  RUN_MINUTES,
  STOPPED,
  TIMED_OUT,
} from "./run-errors.ts";
import { openRunWriter, RunEnded, type RunRef, type RunWriter } from "./run-writer.ts";
import { applyDecision, confirmPartitions, writeHosts } from "./write-findings.ts";

export type RunDeps = Pick<Deps, "em" | "log" | "clock" | "secrets" | "bus" | "outbound" | "callGates" | "metrics"> & {
  readonly providerLimits?: Partial<ClientLimits>;
};

interface RunParts {
  readonly writer: RunWriter;
  readonly hosts: BatchWriter<SeenHost>;
  readonly signal: AbortSignal;
}

interface Outcome {
  readonly status: SyncStatus;
  readonly completed: readonly Partition[];
}

/** Executes a claimed run to its end. Rejects when the end could not be written: the queue then delivers the run again. */
export async function executeRun(deps: RunDeps, run: RunRef, stopping: AbortSignal): Promise<void> {
  const log = deps.log.child({ runId: run.runId, configId: run.configId });
  const failed = new AbortController();
  const timeout = AbortSignal.timeout(RUN_MINUTES * 60_000);
  const signal = AbortSignal.any([stopping, timeout, failed.signal]);
  await using writer = openRunWriter(deps, run, (error) => failed.abort(error));
  const hosts = createBatchWriter<SeenHost>((batch) => writeHosts(deps, run, writer, batch));
  const started = performance.now();
  log.info("sync run started");
  try {
    const outcome = await crawlAndDecide(deps, run, { writer, hosts, signal }).catch(
      async (error): Promise<Outcome> => {
        failed.abort(error);
        // The first reason that stopped the run.
        const cause: unknown = signal.reason;
        if (cause instanceof RunEnded || isDatabaseUnavailable(cause)) throw cause;
        // Hosts that came before the failure are valid.
        await hosts.flush().catch(() => undefined);
        if (stopping.aborted) writer.add(STOPPED);
        else if (timeout.aborted) writer.add(TIMED_OUT);
        else if (cause instanceof ProviderFailure) writer.add(providerError(cause, null));
        else {
          log.error({ err: cause }, "unhandled error in a sync run");
          writer.add(INTERNAL);
        }
        const isPartial = writer.counters.hostsSeen > 0 && (timeout.aborted || cause instanceof ProviderFailure);
        return { status: stopping.aborted ? "interrupted" : isPartial ? "partial" : "failed", completed: [] };
      },
    );
    const ended = await writer.end(outcome.status, (em) => confirmPartitions(em, run, outcome.completed));
    const ms = Math.round(performance.now() - started);
    countEndedRuns(deps, [ended]);
    deps.metrics.syncRunDuration.observe({ config: run.configId, status: ended.status }, ms / 1000);
    deps.metrics.syncedHosts.inc({ config: run.configId, result: "rejected" }, ended.rejected);
    log.info({ status: ended.status, ms, ...writer.counters, errors: ended.errors.length }, "sync run ended");
  } catch (error) {
    if (!(error instanceof RunEnded)) throw error;
    log.warn("sync run was cancelled or given up for lost");
  }
}

async function crawlAndDecide(deps: RunDeps, run: RunRef, { writer, hosts, signal }: RunParts): Promise<Outcome> {
  const { configId } = run;
  const config = await deps.em.fork().findOne(ConfigEntity, { id: configId });
  if (config === null) throw new RunEnded();
  const presentBefore = await deps.em.fork().count(HostEntity, { config: configId, goneAt: null });
  const onCall = (call: ObservedCall) => crawl.observe(call);
  const limits = deps.providerLimits ?? {};
  const client = connectProvider(deps, config, { signal, limits, onCall });
  const crawl = new Crawl({ client, hosts, report: writer, signal });

  await crawl.read(await discoverPartitions({ client, config, report: writer, signal }));
  await hosts.flush();
  let missing = await findMissingHosts(deps.em.fork(), configId, crawl.seen);
  const unlisted = partitionsOf(missing).filter((partition) => !crawl.readings.has(partitionKey(partition)));
  if (unlisted.length > 0 && !crawl.isUnresponsive) {
    await crawl.read(unlisted);
    await hosts.flush();
    missing = await findMissingHosts(deps.em.fork(), configId, crawl.seen);
  }
  if (crawl.isUnresponsive) writer.add(PROVIDER_SILENT);
  crawl.resume();
  const decision = await decideAbsences(missing, {
    readings: crawl.readings,
    lookUp: (partition, ids) => crawl.lookUp(partition, ids),
    presentBefore,
    now: deps.clock.now(),
  });
  await hosts.flush();
  const held = new Set(decision.held.map(partitionKey));
  for (const partition of crawl.projectMissing.filter((unknown) => !held.has(partitionKey(unknown)))) {
    writer.add(providerError(new ProviderFailure("project-missing"), partition));
  }
  await applyDecision(deps, run, writer, { ...decision, readings: crawl.readings, presentBefore });
  return { status: statusOf(crawl, writer), completed: crawl.completed };
}

function statusOf(crawl: Crawl, { counters, errors, add }: RunWriter): SyncStatus {
  const { hostsSeen, created, updated, unchanged, rejected } = counters;
  if (hostsSeen !== crawl.received || hostsSeen !== created + updated + unchanged) {
    throw new Error(`${crawl.received} hosts were read and ${hostsSeen} written`);
  }
  const isReadable = hostsSeen + rejected > 0 || [...crawl.readings.values()].some(isAnswered);
  if (!isReadable && errors.length === 0) add(NOTHING_OPENED);
  if (!isReadable) return "failed";
  return rejected > 0 || errors.length > 0 ? "partial" : "succeeded";
}

function isAnswered(reading: Reading): boolean {
  return reading === "complete" || reading === "empty";
}
