import { performance } from "node:perf_hooks";
import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import { publishHostEvents } from "../hosts/publish-events.ts";
import type { Lease } from "./lease.ts";
import { type Progress, type RunCounters, saveCounters } from "./progress.ts";
import type { Place } from "./rules.ts";
import type { SyncDeps } from "./run-context.ts";
import { type HostReader, insertHosts, isTaken, type SeenHost, upsertHosts } from "./write-hosts.ts";

/** A place that was read completely; `readAt` in Unix seconds. */
export interface ConfirmedPlace extends Place {
  readonly readAt: number;
}

export interface Chunk {
  readonly hosts: readonly SeenHost[];
  /** An expectation: it is tried first. */
  readonly isAllNew: boolean;
  readonly confirmed: readonly ConfirmedPlace[];
}

export type WriteCounts = Pick<RunCounters, "created" | "updated" | "unchanged">;

export const NOTHING_WRITTEN: WriteCounts = { created: 0, updated: 0, unchanged: 0 };

export interface WrittenChunk {
  readonly counts: WriteCounts;
  /** How long the process was idle while others held the database before the write, in ms. */
  readonly idled: number;
  /** How long the write held the database, in ms. */
  readonly took: number;
}

interface WriterParts {
  readonly deps: Pick<SyncDeps, "clock">;
  readonly lease: Lease;
  readonly reader: HostReader;
  readonly progress: Progress;
}

/** One transaction: hosts, places, the run's counters, and the events that tell of them. */
export async function writeChunk(parts: WriterParts, { isAllNew, ...chunk }: Chunk): Promise<WrittenChunk> {
  if (!isAllNew) return await writeBy(upsertHosts, parts, chunk);
  try {
    return await writeBy(insertHosts, parts, chunk);
  } catch (error) {
    if (!isTaken(error)) throw error;
    return await writeBy(upsertHosts, parts, chunk);
  }
}

async function writeBy(
  write: typeof upsertHosts,
  { deps, lease, reader, progress }: WriterParts,
  { hosts, confirmed }: Omit<Chunk, "isAllNew">,
): Promise<WrittenChunk> {
  const at = deps.clock.now();
  // A process that is busy also answers late; only what it idled was spent waiting for others.
  const asked = performance.eventLoopUtilization();
  let idled = 0;
  let began = 0;
  const counts = await lease.write(async (em) => {
    idled = performance.eventLoopUtilization(asked).idle;
    began = performance.now();
    const written = hosts.length === 0 ? { ...NOTHING_WRITTEN, ids: [] } : await write(em, reader, hosts, at);
    if (confirmed.length > 0) await confirmPlaces(em, lease.configId, confirmed);
    const counts = { created: written.created, updated: written.updated, unchanged: written.unchanged };
    const counted = sumCounts(progress.counters, counts);
    const run = await saveCounters(em, lease, { ...counted, hostsSeen: hostsIn(counted) }, progress.errors);
    await progress.tellAlong(em, run);
    await publishHostEvents(em, { configId: lease.configId, hostIds: written.ids }, at);
    return counts;
  });
  return { counts, idled, took: performance.now() - began };
}

export function sumCounts<Counters extends WriteCounts>(one: Counters, other: WriteCounts): Counters {
  return {
    ...one,
    created: one.created + other.created,
    updated: one.updated + other.updated,
    unchanged: one.unchanged + other.unchanged,
  };
}

export function hostsIn({ created, updated, unchanged }: WriteCounts): number {
  return created + updated + unchanged;
}

async function confirmPlaces(em: SqlEntityManager, configId: string, places: readonly ConfirmedPlace[]): Promise<void> {
  await sql`
    insert into sync_partitions (config_id, project_id, region, read_at)
    select ${configId}::uuid, t.project_id, t.region, t.read_at
    from unnest(
      ${places.map(({ projectId }) => projectId)}::text[], ${places.map(({ region }) => region)}::text[],
      ${places.map(({ readAt }) => readAt)}::bigint[]
    ) as t (project_id, region, read_at)
    on conflict (config_id, project_id, region) do update set read_at = excluded.read_at, empty_since = null
  `.execute(em.getKysely());
}
