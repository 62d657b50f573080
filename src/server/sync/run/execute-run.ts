import { MASS_REMOVAL, type SyncStatus } from "../../../shared/sync.ts";
import { connectProvider } from "../../configs/connect-provider.ts";
import { ConfigEntity } from "../../configs/entity.ts";
import type { Deps } from "../../core/deps.ts";
import { HostEntity } from "../../hosts/entity.ts";
import type { ClientLimits, ObservedCall } from "../../provider/client.ts";
import { ProviderFailure } from "../../provider/failure.ts";
import { partitionKey } from "../../provider/uhost-api.ts";
import { type AbsenceDecision, decideAbsences } from "../absence.ts";
import { Crawl } from "../crawl.ts";
import { publishRemovals, publishWrittenHosts } from "../held/publish.ts";
import { findMissingHosts, holdHosts, removeHosts, type SeenHost, writeHosts } from "../host-store.ts";
import type { BatchWriter } from "./batch-writer.ts";
import { confirmPartitions, discoverPartitions } from "./discover-partitions.ts";
import { heldEmpty, heldMassRemoval, heldUnavailable, keptHosts, NOTHING_OPENED, providerError } from "./run-errors.ts";
import { RunEnded, type RunRef, type RunWriter } from "./run-writer.ts";

const ROWS_PER_STATEMENT = 1_000;

export type RunDeps = Pick<Deps, "em" | "log" | "clock" | "secrets" | "bus" | "outbound" | "callGates" | "metrics"> & {
  readonly providerLimits?: Partial<ClientLimits>;
};

interface RunParts {
  readonly writer: RunWriter;
  readonly hosts: BatchWriter<SeenHost>;
  readonly signal: AbortSignal;
}

/** Discovers partitions, reads them, writes their hosts, decides about the missing ones. Throws what ends it early. */
export async function executeRun(deps: RunDeps, run: RunRef, { writer, hosts, signal }: RunParts): Promise<SyncStatus> {
  const em = deps.em.fork();
  const config = await em.findOne(ConfigEntity, { id: run.configId });
  if (config === null) throw new RunEnded();
  const presentBefore = await em.count(HostEntity, { config: run.configId, goneAt: null });
  const onCall = (call: ObservedCall) => crawl.observe(call);
  const client = connectProvider(deps, config, { limits: deps.providerLimits, onCall });
  const crawl = new Crawl({ client, signal, progress: writer, onHosts: hosts.add });

  const partitions = await discoverPartitions(em, { client, config, progress: writer, signal });
  await crawl.read(partitions);
  await hosts.flush();
  const missing = await findMissingHosts(em, run.configId, [...crawl.seen.keys()]);
  crawl.resume();
  const decision = await decideAbsences(missing, {
    readings: crawl.partitions,
    verifyById: (partition, ids) => crawl.verifyById(partition, ids),
    presentBefore,
    now: deps.clock.now(),
  });
  await hosts.flush();
  reportAbsences(writer, crawl.partitions, { ...decision, presentBefore });
  await applyDecision(deps, run, writer, decision);
  const complete = [...crawl.partitions.values()].filter(({ reading }) => reading === "complete");
  await writer.write((em) => confirmPartitions(em, run, complete));
  return statusOf(crawl, writer);
}

export async function writeBatch(
  { clock }: Pick<RunDeps, "clock">,
  { configId }: RunRef,
  writer: RunWriter,
  batch: readonly SeenHost[],
): Promise<void> {
  await writer.write(async (em) => {
    const changes = await writeHosts(em, configId, batch);
    await publishWrittenHosts(em, { configId, hosts: changes }, clock.now());
    const created = changes.filter(({ kind }) => kind === "created").length;
    const updated = changes.length - created;
    return { hostsSeen: batch.length, created, updated, unchanged: batch.length - changes.length };
  });
}

function reportAbsences(
  writer: RunWriter,
  partitions: Crawl["partitions"],
  { held, dismissed, presentBefore }: AbsenceDecision & { readonly presentBefore: number },
): void {
  const heldHosts = Map.groupBy(held, (host) => (host.reason === MASS_REMOVAL ? MASS_REMOVAL : partitionKey(host)));
  const massRemoval = heldHosts.get(MASS_REMOVAL)?.length ?? 0;
  for (const [key, { reading, isProjectMissing, ...partition }] of partitions) {
    const count = heldHosts.get(key)?.length ?? 0;
    if (count > 0) writer.add((reading === "empty" ? heldEmpty : heldUnavailable)(partition, count));
    else if (isProjectMissing) writer.add(providerError(new ProviderFailure("project-missing"), partition));
  }
  if (massRemoval > 0) writer.add(heldMassRemoval(massRemoval, presentBefore));
  if (dismissed.length > 0) writer.add(keptHosts(dismissed.length));
}

async function applyDecision(
  { clock }: Pick<RunDeps, "clock">,
  { runId, configId, startedAt }: RunRef,
  writer: RunWriter,
  { gone, held }: AbsenceDecision,
): Promise<void> {
  const at = clock.now();
  for (let start = 0; start < gone.length; start += ROWS_PER_STATEMENT) {
    const hosts = gone.slice(start, start + ROWS_PER_STATEMENT);
    await writer.write(async (em) => {
      const removed = await removeHosts(em, { configId, hosts, before: startedAt, at });
      await publishWrittenHosts(em, { configId, hosts: removed }, at);
      return { gone: removed.length };
    });
  }
  if (held.length === 0) return;
  await writer.write(async (em) => {
    const isNew = await holdHosts(em, { configId, hosts: held, before: startedAt, at, runId });
    if (isNew) await publishRemovals(em, [configId], at);
  });
}

function statusOf({ received, partitions }: Crawl, { counters, errors, add }: RunWriter): SyncStatus {
  const { hostsSeen, created, updated, unchanged, rejected } = counters;
  if (hostsSeen !== received || hostsSeen !== created + updated + unchanged) {
    throw new Error(`${received} hosts were read and ${hostsSeen} written`);
  }
  const isAnswered = [...partitions.values()].some(({ reading }) => reading === "complete" || reading === "empty");
  if (hostsSeen + rejected === 0 && !isAnswered) {
    if (errors.length === 0) add(NOTHING_OPENED);
    return "failed";
  }
  return rejected > 0 || errors.length > 0 ? "partial" : "succeeded";
}
