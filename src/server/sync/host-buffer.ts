import type { Lease } from "./lease.ts";
import type { Progress } from "./progress.ts";
import type { Place } from "./rules.ts";
import type { SyncDeps } from "./run-context.ts";
import {
  type ConfirmedPlace,
  hostsIn,
  NOTHING_WRITTEN,
  sumCounts,
  type WriteCounts,
  type WrittenChunk,
  writeChunk,
} from "./write-chunk.ts";
import { findDiffering, type HostReader, type SeenHost } from "./write-hosts.ts";

/** Rows that make a write worth its while, and the most that one transaction writes. */
const FLUSH_ROWS = 500;
const MAX_CHUNK = 1_000;
/** Fewer are not written at once, however long it takes: each transaction has costs of its own. */
const MIN_CHUNK = 150;
/** When no more hosts than this are to come, small chunks do, so that little is left to be written after the last page. */
const FEW_LEFT = 1_000;
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
  /** Says how many hosts are still to come, once that is known. */
  foresee(hosts: number): void;
  /** Notes that a place was read completely, some time after what was added before is written. `readAt` in Unix seconds. */
  confirm(place: Place, readAt: number): void;
  /** Resolves when there is room for another page. */
  room(): Promise<void>;
  /** Writes everything; rejects when a write has failed. */
  drain(): Promise<void>;
  /** Drops what is not written yet, and waits for the write under way. */
  close(): Promise<void>;
}

interface Confirmation extends ConfirmedPlace {
  /** Rows that must be written before. */
  readonly after: number;
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
  let left = Number.POSITIVE_INFINITY;
  let rowsWritten = 0;
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
    if (waiting.length >= (left > FEW_LEFT ? FLUSH_ROWS : MIN_CHUNK)) start();
    else if (waiting.length > 0) timer ??= setTimeout(start, FLUSH_AFTER);
  }

  function start(): void {
    clearTimeout(timer);
    timer = undefined;
    writing ??= writeNext().then(schedule);
  }

  async function writeNext(): Promise<void> {
    const chunk = waiting.slice(0, most);
    waiting = waiting.slice(most);
    const reached = rowsWritten + chunk.length;
    const confirmed = new Set(confirmations.filter(({ after }) => after <= reached));
    try {
      const room = parts.maxCreated - parts.progress.counters.created;
      isAllNew &&= chunk.length <= room;
      const { fresh, changed } =
        isAllNew || chunk.length === 0
          ? { fresh: chunk, changed: [] }
          : await lease.read((em) => findDiffering(em, reader, chunk));
      if (fresh.length > room) parts.onTooMany();
      const differing = [...changed, ...fresh.slice(0, room)];
      const known = { ...NOTHING_WRITTEN, unchanged: chunk.length - changed.length - fresh.length };
      // Confirmations alone can wait until something is written, or for the end.
      const isWorthWriting = differing.length > 0 || (confirmed.size > 0 && isDraining);
      const written = isWorthWriting
        ? await writeChunk(parts, { hosts: differing, isAllNew, confirmed: [...confirmed] })
        : null;
      if (written !== null) keepToTurn(differing.length, written);
      const counts = sumCounts(written?.counts ?? NOTHING_WRITTEN, known);
      isAllNew = chunk.length > 0 && counts.created === chunk.length;
      tell(parts, counts);
      rowsWritten = reached;
      // Others may have come meanwhile, of places whose last page made this very chunk large enough.
      if (isWorthWriting) confirmations = confirmations.filter((one) => !confirmed.has(one));
    } catch (error) {
      failure = { error };
      parts.onFailure(error);
    }
    writing = undefined;
    progressed.resolve();
    progressed = Promise.withResolvers();
  }

  /** Whoever waited for this write will wait for the next one too, so it is to be short; where nobody asks, long ones cost less. */
  function keepToTurn(rows: number, { idled, took }: WrittenChunk): void {
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
    foresee(hosts) {
      left = hosts;
    },
    confirm(place, readAt) {
      confirmations.push({ ...place, readAt, after: added });
    },
    async room() {
      while (added - rowsWritten > MAX_WAITING && failure === undefined) await progressed.promise;
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
