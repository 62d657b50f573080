import { performance } from "node:perf_hooks";
import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import { appendEvent } from "../events/append.ts";
import type { Lease } from "./lease.ts";
import { type Progress, type RunCounters, saveCounters } from "./progress.ts";
import type { Place } from "./rules.ts";
import type { SyncDeps } from "./run-context.ts";
import { findDiffering, type HostReader, insertHosts, isTaken, type SeenHost, upsertHosts } from "./write-hosts.ts";

/** Rows that make a write worth its while, and the most that one transaction writes. */
const FLUSH_ROWS = 500;
const MAX_CHUNK = 1_000;
/** Fewer are not written at once, however long it takes: each transaction has costs of its own. */
const MIN_CHUNK = 150;
/** A write that had nothing to do but to wait for its turn so long, in ms, found others asking. */
const OTHERS_WAIT = 12;
/** Rows that a write gets more when nobody was found asking: who asks ten times a second is found by one write in a few. */
const REGAINED = 25;
/** How long a row waits for company, in ms. */
const FLUSH_AFTER = 150;
/** Rows waiting or being written, beyond which reading must wait. */
const MAX_WAITING = 2_000;

export interface HostBuffer {
  /** Each host at most once in the life of the buffer. */
  add(hosts: readonly SeenHost[]): void;
  /** Notes that a place was read completely, some time after what was added before is written. `readAt` in Unix seconds. */
  confirm(place: Place, readAt: number): void;
  /** Resolves when there is room for another page. */
  room(): Promise<void>;
  /** Writes everything; rejects when a write has failed. */
  drain(): Promise<void>;
  /** Drops what is not written yet, and waits for the write under way. */
  close(): Promise<void>;
}

interface Confirmation extends Place {
  readonly readAt: number;
  /** Rows that must be written before. */
  readonly after: number;
}

/** A write, and in ms how long the process was idle while others held the database before it, and how long it held the database. */
interface Turn {
  readonly rows: number;
  readonly idled: number;
  readonly took: number;
}

interface BufferParts {
  readonly deps: Pick<SyncDeps, "clock" | "metrics" | "writeTurn">;
  readonly lease: Lease;
  readonly reader: HostReader;
  readonly progress: Progress;
  /** How many hosts may be created; more are dropped, and that is told. */
  readonly maxCreated: number;
  readonly onTooMany: () => void;
  /** Hears of the first failed write. */
  readonly onFailure: (error: unknown) => void;
}

/** Collects hosts while pages arrive and writes them in chunks, each its own short transaction, while reading goes on. */
export function createHostBuffer(parts: BufferParts): HostBuffer {
  const { lease, reader } = parts;
  let waiting: SeenHost[] = [];
  let confirmations: Confirmation[] = [];
  let added = 0;
  let written = 0;
  /** The chunk before was all new hosts: so will this one be, and there is no use in looking first. */
  let isAllNew = false;
  /** Rows of the next chunk at most. */
  let most = MAX_CHUNK;
  let isDraining = false;
  let writing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let failure: { readonly error: unknown } | undefined;
  let progressed = Promise.withResolvers<void>();

  function schedule(): void {
    if (writing !== undefined || failure !== undefined) return;
    if (waiting.length >= FLUSH_ROWS) start();
    else if (waiting.length > 0) timer ??= setTimeout(start, FLUSH_AFTER);
  }

  function start(): void {
    clearTimeout(timer);
    timer = undefined;
    writing ??= writeChunk().then(schedule);
  }

  async function writeChunk(): Promise<void> {
    const chunk = waiting.slice(0, most);
    waiting = waiting.slice(most);
    const reached = written + chunk.length;
    const confirmed = confirmations.filter(({ after }) => after <= reached);
    try {
      const room = parts.maxCreated - parts.progress.counters.created;
      isAllNew &&= chunk.length <= room;
      const { fresh, changed } =
        isAllNew || chunk.length === 0
          ? { fresh: chunk, changed: [] }
          : await lease.read((em) => findDiffering(em, reader, chunk));
      if (fresh.length > room) parts.onTooMany();
      const differing = [...changed, ...fresh.slice(0, room)];
      const known = { ...NOTHING, unchanged: chunk.length - changed.length - fresh.length };
      // Confirmations alone can wait until something is written, or for the end.
      const isWorthWriting = differing.length > 0 || (confirmed.length > 0 && isDraining);
      const counts = isWorthWriting
        ? sum(await writeHosts({ ...parts, onWritten: keepToTurn }, { chunk: differing, isAllNew, confirmed }), known)
        : known;
      isAllNew = chunk.length > 0 && counts.created === chunk.length;
      tell(parts, counts);
      written = reached;
      if (isWorthWriting) confirmations = confirmations.filter(({ after }) => after > reached);
    } catch (error) {
      failure = { error };
      parts.onFailure(error);
    }
    writing = undefined;
    progressed.resolve();
    progressed = Promise.withResolvers();
  }

  /** Whoever waited for this write will wait for the next one too, so it is to be short; where nobody asks, long ones cost less. */
  function keepToTurn({ rows, idled, took }: Turn): void {
    const { writeTurn } = parts.deps;
    if (writeTurn === undefined) return;
    if (idled < OTHERS_WAIT) most = Math.min(MAX_CHUNK, most + REGAINED);
    else if (rows >= MIN_CHUNK) most = Math.min(most, Math.max(MIN_CHUNK, Math.round((rows * writeTurn) / took)));
  }

  return {
    add(hosts) {
      waiting.push(...hosts);
      added += hosts.length;
      schedule();
    },
    confirm(place, readAt) {
      confirmations.push({ ...place, readAt, after: added });
    },
    async room() {
      while (added - written > MAX_WAITING && failure === undefined) await progressed.promise;
      if (failure !== undefined) throw failure.error;
    },
    async drain() {
      isDraining = true;
      while (failure === undefined && (waiting.length > 0 || confirmations.length > 0 || writing !== undefined)) {
        start();
        await writing;
      }
      isDraining = false;
      if (failure !== undefined) throw failure.error;
    },
    async close() {
      clearTimeout(timer);
      waiting = [];
      confirmations = [];
      await writing;
    },
  };
}

function tell({ deps, lease, progress }: BufferParts, counts: WriteCounts): void {
  progress.add({ ...counts, hostsSeen: hostsIn(counts) });
  for (const result of ["created", "updated", "unchanged"] as const) {
    deps.metrics.syncedHosts.inc({ config: lease.configId, result }, counts[result]);
  }
}

interface Chunk {
  readonly chunk: readonly SeenHost[];
  /** An expectation: it is tried first. */
  readonly isAllNew: boolean;
  readonly confirmed: readonly Confirmation[];
}

type WriteParts = BufferParts & { readonly onWritten: (turn: Turn) => void };

async function writeHosts(parts: WriteParts, { isAllNew, ...chunk }: Chunk): Promise<WriteCounts> {
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
  { deps, lease, reader, progress, onWritten }: WriteParts,
  { chunk, confirmed }: Omit<Chunk, "isAllNew">,
): Promise<WriteCounts> {
  const at = deps.clock.now();
  // A process that is busy also answers late; only what it idled was spent waiting for others.
  const asked = performance.eventLoopUtilization();
  let idled = 0;
  let began = 0;
  const written = await lease.write(async (em) => {
    idled = performance.eventLoopUtilization(asked).idle;
    began = performance.now();
    const hosts = chunk.length === 0 ? { ...NOTHING, ids: [] } : await write(em, reader, chunk, at);
    if (confirmed.length > 0) await confirmPlaces(em, lease.configId, confirmed);
    const counts = { created: hosts.created, updated: hosts.updated, unchanged: hosts.unchanged };
    const counted = sum(progress.counters, counts);
    const run = await saveCounters(em, lease, { ...counted, hostsSeen: hostsIn(counted) }, progress.errors);
    await progress.tellAlong(em, run);
    if (hosts.ids.length > 0) {
      const data = { configId: lease.configId, hostIds: hosts.ids };
      await appendEvent(em, { type: "hosts.changed", data }, at);
    }
    return counts;
  });
  onWritten({ rows: chunk.length, idled, took: performance.now() - began });
  return written;
}

type WriteCounts = Pick<RunCounters, "created" | "updated" | "unchanged">;

const NOTHING: WriteCounts = { created: 0, updated: 0, unchanged: 0 };

function sum<Counters extends WriteCounts>(one: Counters, other: WriteCounts): Counters {
  return {
    ...one,
    created: one.created + other.created,
    updated: one.updated + other.updated,
    unchanged: one.unchanged + other.unchanged,
  };
}

function hostsIn({ created, updated, unchanged }: WriteCounts): number {
  return created + updated + unchanged;
}

async function confirmPlaces(em: SqlEntityManager, configId: string, places: readonly Confirmation[]): Promise<void> {
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
