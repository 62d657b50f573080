import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { Deps } from "../../core/deps.ts";
import { kyselyOf } from "../../database/kysely.ts";
import { publishHostEvents } from "../../hosts/publish-events.ts";
import type { AbsenceDecision } from "../absence/decide.ts";
import type { Reading } from "../absence/policy.ts";
import { applySink, type SeenHost } from "./host-sink.ts";
import { type Partition, partitionKey } from "./partitions.ts";
import { heldEmpty, heldMassRemoval, heldUnavailable } from "./run-errors.ts";
import type { RunRef, RunWriter } from "./run-writer.ts";

const ROWS_PER_STATEMENT = 1_000;

type WriteDeps = Pick<Deps, "clock" | "metrics">;

/** Writes one batch with its counters and event. */
export async function writeHosts(
  { clock, metrics }: WriteDeps,
  { configId }: RunRef,
  writer: RunWriter,
  batch: readonly SeenHost[],
): Promise<void> {
  const added = await writer.write(async (em) => {
    const changes = await applySink.write(em, configId, batch);
    await publishHostEvents(em, { configId, hostIds: changes.map(({ id }) => id) }, clock.now());
    const created = changes.filter(({ kind }) => kind === "created").length;
    const updated = changes.length - created;
    return { hostsSeen: batch.length, created, updated, unchanged: batch.length - changes.length };
  });
  for (const result of ["created", "updated", "unchanged"] as const) {
    metrics.syncedHosts.inc({ config: configId, result }, added[result]);
  }
}

/** Marks hosts gone and holds those that may be; says which are held and why. */
export async function applyDecision(
  { clock, metrics }: WriteDeps,
  { configId, startedAt }: RunRef,
  writer: RunWriter,
  { gone, held, massRemoval, readings, presentBefore }: AbsenceDecision & HeldContext,
): Promise<void> {
  for (const [key, [first, ...others]] of Map.groupBy(held, partitionKey)) {
    if (first === undefined) continue;
    const count = others.length + 1;
    const reading = readings.get(key);
    if (reading === "empty") writer.add(heldEmpty(first, count));
    if (reading === "unavailable") writer.add(heldUnavailable(first, count));
  }
  if (massRemoval.length > 0) writer.add(heldMassRemoval(massRemoval.length, presentBefore));

  const at = clock.now();
  for (let start = 0; start < gone.length; start += ROWS_PER_STATEMENT) {
    const hosts = gone.slice(start, start + ROWS_PER_STATEMENT);
    const added = await writer.write(async (em) => {
      const hostIds = await applySink.remove(em, { configId, hosts, before: startedAt, at });
      await publishHostEvents(em, { configId, hostIds }, at);
      return { gone: hostIds.length };
    });
    metrics.syncedHosts.inc({ config: configId, result: "gone" }, added.gone);
  }
  const hosts = [...held, ...massRemoval];
  if (hosts.length === 0) return;
  await writer.write(async (em) => {
    await applySink.hold(em, { configId, hosts, before: startedAt, at });
    return {};
  });
}

interface HeldContext {
  readonly readings: ReadonlyMap<string, Reading>;
  /** Present hosts of the configuration before the run. */
  readonly presentBefore: number;
}

/** Unchanged hosts of these partitions count as synced at the start of the run. */
export async function confirmPartitions(
  em: SqlEntityManager,
  { configId, startedAt: readAt }: RunRef,
  partitions: readonly Partition[],
): Promise<void> {
  if (partitions.length === 0) return;
  await kyselyOf(em)
    .insertInto("sync_partitions")
    .values(partitions.map(({ region, projectId }) => ({ config: configId, region, projectId, readAt })))
    .onConflict((conflict) => conflict.columns(["config", "projectId", "region"]).doUpdateSet({ readAt }))
    .execute();
}
