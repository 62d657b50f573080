import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { MASS_REMOVAL, type SyncStatus } from "../../../../shared/sync.ts";
import type { ObservedCall } from "../../../provider/client.ts";
import { partitionKey } from "../../../provider/uhost-api.ts";
import { connectProvider } from "../../provider-configs/connect-provider.ts";
import { ConfigEntity, type ConfigRow } from "../../provider-configs/entity.ts";
import {
  type AbsenceDecision,
  emptySince,
  groupByPartition,
  type HeldHost,
  holdMassRemoval,
  judgeAbsences,
  type MissingHost,
  NOTHING_REMOVED,
  type RemovalWindow,
} from "../absence.ts";
import { Crawl } from "../crawl.ts";
import type { SyncDeps } from "../deps.ts";
import { publishChanges } from "../events.ts";
import { holdMissingHosts } from "../hold-missing.ts";
import { confirmPartitions, findMissingHosts, removeHosts } from "../host-store.ts";
import { readRemovalWindow } from "../removal-window.ts";
import {
  emptyPartition,
  keptHosts,
  massRemoval,
  NOTHING_OPENED,
  providerError,
  unavailablePartition,
} from "../run-errors.ts";
import { discoverPartitions } from "./discover-partitions.ts";
import { RunEnded, type RunRef } from "./run-row.ts";
import type { RunWriter } from "./run-writer.ts";

const ROWS_PER_STATEMENT = 1_000;
/** Each publishes that the list of held hosts changed, so that there are fewer of them. */
const HOLDS_PER_STATEMENT = 5_000;

/** What one run works with. */
interface RunContext {
  readonly deps: SyncDeps;
  readonly em: SqlEntityManager;
  readonly run: RunRef;
  readonly config: ConfigRow;
  readonly writer: RunWriter;
  readonly signal: AbortSignal;
}

/**
 * Reads everything that the configuration's key can list, writes it, and decides about the hosts
 * that did not come. Returns how the run ends; throws what ends it early.
 */
export async function executeRun(
  deps: SyncDeps,
  run: RunRef,
  writer: RunWriter,
  signal: AbortSignal,
): Promise<SyncStatus> {
  const em = deps.em.fork();
  const config = await em.findOne(ConfigEntity, { id: run.configId });
  // Deleting a configuration ends its run.
  if (config === null) throw new RunEnded();
  const before = await readRemovalWindow(em, run.configId, deps.clock.now());
  const context = { deps, em, run, config, writer, signal };

  const crawl = await readEverything(context);
  const { decision, window } = await decideAboutMissing(context, crawl, before);
  reportAbsences(writer, crawl, decision, window);

  await removeGone(context, decision.gone);
  await holdMissing(context, decision.held);
  await confirmCompletePartitions(context, crawl);
  return statusOf(crawl, writer, decision);
}

/** The writer writes the hosts as their pages come. */
async function readEverything(context: RunContext): Promise<Crawl> {
  const { deps, em, config, writer, signal } = context;
  const onCall = (call: ObservedCall) => crawl.observe(call);
  const client = connectProvider(deps, config, {
    priority: "background",
    limits: deps.providerLimits,
    onCall,
  });
  const crawl = new Crawl({
    client,
    signal,
    progress: writer,
    onHosts: (hosts) => writer.addHosts(hosts),
  });

  const partitions = await discoverPartitions(em, { client, config, progress: writer, signal });
  await crawl.read(partitions);
  await writer.drain();
  return crawl;
}

interface DecidedAbsences {
  readonly decision: AbsenceDecision;
  readonly window: RemovalWindow;
}

const NOTHING_MISSING: DecidedAbsences = {
  decision: { gone: [], held: [], kept: [] },
  window: NOTHING_REMOVED,
};

/** Asks for the missing hosts by id, and applies the rules of absence.ts. */
async function decideAboutMissing(
  { deps, em, writer, run: { configId } }: RunContext,
  crawl: Crawl,
  before: RemovalWindow,
): Promise<DecidedAbsences> {
  const missing = await findMissingHosts(em, configId, [...crawl.seen.keys()]);
  if (missing.length === 0) return NOTHING_MISSING;

  crawl.resume();
  const judgement = await judgeAbsences(missing, {
    readings: crawl.partitions,
    isAbsent: async (partition, ids) => (await crawl.lookUp(partition, ids)) === "none",
    now: deps.clock.now(),
  });
  // Those that were found by id are written, too.
  await writer.drain();

  const counted = await readRemovalWindow(em, configId, deps.clock.now());
  // Hosts that this run found for the first time are not among those that it may miss.
  const isFirstDay = counted.isFirstDay && before.isFirstDay;
  const window = isFirstDay ? { ...counted, hosts: before.hosts } : counted;
  return { decision: holdMassRemoval(judgement, window), window };
}

/** An error for each partition that holds hosts, and one for a mass removal. */
function reportAbsences(
  writer: RunWriter,
  { partitions }: Crawl,
  { held, kept }: AbsenceDecision,
  window: RemovalWindow,
): void {
  const massRemoved = held.filter(({ reason }) => reason === MASS_REMOVAL);
  const empty = held.filter(({ reason }) => reason === "empty");
  const unavailable = held.filter(({ reason }) => reason === "unavailable");

  const places = new Set([...empty, ...unavailable].map(partitionKey));
  for (const [place, { failures, ...partition }] of partitions) {
    const failure = failures.find(({ kind }) => kind === "project-missing");
    // Where hosts are held, that is said already.
    if (failure !== undefined && !places.has(place)) {
      writer.add(providerError(failure, partition));
    }
  }

  for (const { partition, hosts } of groupByPartition(empty)) {
    const together = heldAtMost(empty, hosts, window.now);
    writer.add(emptyPartition(partition, { hosts: hosts.length, together, window }));
  }
  for (const { partition, hosts } of groupByPartition(unavailable)) {
    writer.add(unavailablePartition(partition, hosts.length));
  }
  if (massRemoved.length > 0) writer.add(massRemoval(massRemoved, window));
  if (kept.length > 0) writer.add(keptHosts(kept.length));
}

/** How many of the hosts have been held for as long as these, or for longer. */
function heldAtMost(all: readonly HeldHost[], these: readonly HeldHost[], now: number): number {
  const since = (host: HeldHost) => emptySince(host, now) ?? now;
  const last = Math.max(...these.map(since));
  return all.filter((host) => since(host) <= last).length;
}

async function removeGone(
  { deps, run, writer }: RunContext,
  gone: readonly MissingHost[],
): Promise<void> {
  const { runId, configId, startedAt: before } = run;
  const at = deps.clock.now();
  for (let start = 0; start < gone.length; start += ROWS_PER_STATEMENT) {
    const hosts = gone.slice(start, start + ROWS_PER_STATEMENT);
    await writer.write(async (em) => {
      const removed = await removeHosts(em, { configId, hosts, before, at, cause: "run", runId });
      await publishChanges(em, { configId, hosts: removed }, at);
      return { gone: removed.length };
    });
  }
}

async function holdMissing(
  { deps, run, writer }: RunContext,
  held: readonly HeldHost[],
): Promise<void> {
  const { runId, configId, startedAt: before } = run;
  const at = deps.clock.now();
  for (let start = 0; start < held.length; start += HOLDS_PER_STATEMENT) {
    const hosts = held.slice(start, start + HOLDS_PER_STATEMENT);
    await writer.write(async (em) => {
      const hold = { configId, hosts, before, at, cause: "run", runId } as const;
      const isAnyHeld = await holdMissingHosts({ ...deps, em }, hold, held.length);
      await publishChanges(em, { configId, hosts: [], isAnyHeld }, at);
      return {};
    });
  }
}

/** The hosts of these partitions count as synced, also those that were not written. */
async function confirmCompletePartitions(
  { run: { configId, startedAt }, writer }: RunContext,
  { partitions }: Crawl,
): Promise<void> {
  const complete = [...partitions.values()].filter(({ reading }) => reading === "complete");
  await writer.write(async (em) => {
    await confirmPartitions(em, { configId, readAt: startedAt }, complete);
    return {};
  });
}

/** Throws when hosts were read that were not written. */
function statusOf(
  { received, partitions }: Crawl,
  writer: RunWriter,
  { held }: AbsenceDecision,
): SyncStatus {
  const { hostsSeen, created, updated, unchanged, rejected } = writer.counters;
  if (hostsSeen !== received || hostsSeen !== created + updated + unchanged) {
    throw new Error(`${received} hosts were read and ${hostsSeen} written`);
  }

  const isAnyAnswered = [...partitions.values()].some(
    ({ reading }) => reading === "complete" || reading === "empty",
  );
  if (hostsSeen + rejected + held.length === 0 && !isAnyAnswered) {
    if (writer.errors.length === 0) writer.add(NOTHING_OPENED);
    return "failed";
  }
  return rejected > 0 || writer.errors.length > 0 ? "partial" : "succeeded";
}
