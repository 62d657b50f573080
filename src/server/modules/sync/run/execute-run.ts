import { MASS_REMOVAL, type SyncStatus } from "../../../../shared/sync.ts";
import type { Deps } from "../../../platform/deps.ts";
import type { ClientLimits, ObservedCall } from "../../../provider/client.ts";
import { partitionKey } from "../../../provider/uhost-api.ts";
import { HostEntity } from "../../hosts/entity.ts";
import { connectProvider } from "../../provider-configs/connect-provider.ts";
import { ConfigEntity } from "../../provider-configs/entity.ts";
import {
  type AbsenceDecision,
  holdMassRemoval,
  judgeAbsences,
  type RemovalWindow,
} from "../absence.ts";
import { Crawl } from "../crawl.ts";
import { publishChanges } from "../events.ts";
import { confirmPartitions, findMissingHosts, holdHosts, removeHosts } from "../host-store.ts";
import { readRemovalWindow } from "../removal-window.ts";
import { heldHosts, keptHosts, NOTHING_OPENED, providerError } from "../run-errors.ts";
import { discoverPartitions } from "./discover-partitions.ts";
import { RunEnded, type RunRef } from "./run-row.ts";
import type { RunWriter } from "./run-writer.ts";

const ROWS_PER_STATEMENT = 1_000;
/** Each publishes that the list of held hosts changed, so that there are fewer of them. */
const HOLDS_PER_STATEMENT = 5_000;

export type RunDeps = Pick<
  Deps,
  "em" | "actor" | "log" | "clock" | "secrets" | "bus" | "outbound" | "callGates" | "metrics"
> & {
  readonly providerLimits?: Partial<ClientLimits>;
};

/** Discovers partitions, reads them, writes their hosts, decides about the missing ones. Throws what ends it early. */
export async function executeRun(
  deps: RunDeps,
  run: RunRef,
  writer: RunWriter,
  signal: AbortSignal,
): Promise<SyncStatus> {
  const em = deps.em.fork();
  const config = await em.findOne(ConfigEntity, { id: run.configId });
  if (config === null) throw new RunEnded();
  const presentBefore = await em.count(HostEntity, { config: run.configId, goneAt: null });
  const onCall = (call: ObservedCall) => crawl.observe(call);
  const client = connectProvider(deps, config, { limits: deps.providerLimits, onCall });
  const crawl = new Crawl({
    client,
    signal,
    progress: writer,
    onHosts: (hosts) => writer.addHosts(hosts),
  });

  await crawl.read(await discoverPartitions(em, { client, config, progress: writer, signal }));
  const missing = await findMissingHosts(em, run.configId, [...crawl.seen.keys()]);
  crawl.resume();
  const judgement = await judgeAbsences(missing, {
    readings: crawl.partitions,
    isAbsent: (partition, ids) => crawl.isAbsent(partition, ids),
    now: deps.clock.now(),
  });
  // Hosts that this run found for the first time are not among those that it may miss.
  const window = {
    ...(await readRemovalWindow(em, run.configId, deps.clock.now())),
    present: presentBefore,
  };
  const decision = holdMassRemoval(judgement, window);
  reportAbsences(writer, crawl, decision, window);
  await applyDecision(deps, run, writer, crawl, decision);
  return statusOf(crawl, writer, decision);
}

function reportAbsences(
  writer: RunWriter,
  { partitions }: Crawl,
  { held, dismissed }: AbsenceDecision,
  window: RemovalWindow,
): void {
  const groups = Map.groupBy(held, (host) =>
    host.reason === MASS_REMOVAL ? MASS_REMOVAL : partitionKey(host),
  );
  for (const [key, { failures, ...partition }] of partitions) {
    const missing = failures.find(({ kind }) => kind === "project-missing");
    if (missing !== undefined && !groups.has(key)) writer.add(providerError(missing, partition));
  }
  for (const [key, [host, ...others]] of groups) {
    const counts = { count: others.length + 1, window };
    if (host !== undefined) writer.add(heldHosts(host.reason, counts, partitions.get(key)));
  }
  if (dismissed.length > 0) writer.add(keptHosts(dismissed.length));
}

async function applyDecision(
  { clock }: Pick<RunDeps, "clock">,
  { runId, configId, startedAt }: RunRef,
  writer: RunWriter,
  { partitions }: Crawl,
  { gone, held }: AbsenceDecision,
): Promise<void> {
  const at = clock.now();
  for (let start = 0; start < gone.length; start += ROWS_PER_STATEMENT) {
    const hosts = gone.slice(start, start + ROWS_PER_STATEMENT);
    await writer.write(async (em) => {
      const removed = await removeHosts(em, {
        configId,
        hosts,
        before: startedAt,
        at,
        cause: "run",
      });
      await publishChanges(em, { configId, hosts: removed }, at);
      return { gone: removed.length };
    });
  }
  for (let start = 0; start < held.length; start += HOLDS_PER_STATEMENT) {
    const hosts = held.slice(start, start + HOLDS_PER_STATEMENT);
    await writer.write(async (em) => {
      const isAnyHeld = await holdHosts(em, {
        configId,
        hosts,
        before: startedAt,
        at,
        cause: "run",
        runId,
      });
      await publishChanges(em, { configId, hosts: [], isAnyHeld }, at);
      return {};
    });
  }
  const complete = [...partitions.values()].filter(({ reading }) => reading === "complete");
  await writer.write(async (em) => {
    await confirmPartitions(em, { configId, readAt: startedAt }, complete);
    return {};
  });
}

function statusOf(
  { received, partitions }: Crawl,
  writer: RunWriter,
  { held }: AbsenceDecision,
): SyncStatus {
  const { errors } = writer;
  const { hostsSeen, created, updated, unchanged, rejected } = writer.counters;
  if (hostsSeen !== received || hostsSeen !== created + updated + unchanged) {
    throw new Error(`${received} hosts were read and ${hostsSeen} written`);
  }
  const isAnswered = [...partitions.values()].some(
    ({ reading }) => reading === "complete" || reading === "empty",
  );
  if (hostsSeen + rejected + held.length === 0 && !isAnswered) {
    if (errors.length === 0) writer.add(NOTHING_OPENED);
    return "failed";
  }
  return rejected > 0 || errors.length > 0 ? "partial" : "succeeded";
}
