import { ProviderFailure } from "../../provider/failure.ts";
import { type HostPage, MAX_PAGE_SIZE } from "../../provider/uhost-api.ts";
import type { Reading } from "./absence.ts";
import { tooManyHosts } from "./run-errors.ts";

/** Twice as many as one key may request at once, so that the next call waits and not the key. */
const PAGES_AT_ONCE = 10;
/** Each failed page has cost its retries already. */
const MAX_FAILURES = 3;
export const MAX_PARTITION_HOSTS = 100_000;

export interface PartitionReading {
  readonly reading: Reading;
  readonly total: number;
  /** Provider's ids of the hosts that came, unreadable ones included if they have one. */
  readonly ids: ReadonlySet<string>;
  readonly rejections: readonly string[];
  readonly failures: readonly ProviderFailure[];
}

type ReadPage = (offset: number) => Promise<HostPage>;

/**
 * Reads the pages of one partition. Hosts come and go meanwhile, which shifts the pages: when fewer
 * hosts came than were counted and no page failed, it reads them once more. Rethrows all but
 * provider failures.
 */
export async function readPartition(readPage: ReadPage): Promise<PartitionReading> {
  const first = await new PageReader(readPage).readAll();
  if (first.reading !== "incomplete" || first.failures.length > 0) return first;

  const second = await new PageReader(readPage).readAll();
  // A region that has just been read is open.
  return second.reading === "unavailable" ? first : second;
}

/** Reads every page once, several at a time, and gathers what they say. */
class PageReader {
  readonly #readPage: ReadPage;
  readonly #ids = new Set<string>();
  readonly #rejections: string[] = [];
  readonly #failures: ProviderFailure[] = [];
  /** The largest number of hosts that a page announced. */
  #total = 0;
  /** Of the last page that was requested. */
  #offset = 0;

  constructor(readPage: ReadPage) {
    this.#readPage = readPage;
  }

  /** The first page says how many there are. */
  async readAll(): Promise<PartitionReading> {
    await this.#read(0);
    if (this.#failures.length === 0) {
      const readers = Array.from({ length: PAGES_AT_ONCE }, () => this.#readFurtherPages());
      await Promise.all(readers);
    }
    if (this.#total > MAX_PARTITION_HOSTS) this.#failures.push(tooManyHosts(this.#total));

    return {
      reading: this.#judge(),
      total: this.#total,
      ids: this.#ids,
      rejections: this.#rejections,
      failures: this.#failures,
    };
  }

  async #readFurtherPages(): Promise<void> {
    while (this.#hasFurtherPages()) {
      this.#offset += MAX_PAGE_SIZE;
      await this.#read(this.#offset);
    }
  }

  #hasFurtherPages(): boolean {
    if (this.#total > MAX_PARTITION_HOSTS || this.#failures.length >= MAX_FAILURES) return false;
    return this.#offset + MAX_PAGE_SIZE < this.#total;
  }

  async #read(offset: number): Promise<void> {
    try {
      this.#gather(await this.#readPage(offset));
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      // The provider refuses a page beyond the last one as it refuses a closed region.
      const isBeyondLast = offset > 0 && isUnavailable(error);
      if (!isBeyondLast) this.#failures.push(error);
    }
  }

  #gather({ total, hosts, rejected }: HostPage): void {
    this.#total = Math.max(this.#total, total);
    for (const { ucloudId } of hosts) this.#ids.add(ucloudId);
    for (const { ucloudId, reason } of rejected) {
      if (ucloudId !== null) this.#ids.add(ucloudId);
      this.#rejections.push(reason);
    }
  }

  #judge(): Reading {
    if (this.#failures.some(isUnavailable)) return "unavailable";
    if (this.#failures.length > 0 || this.#ids.size < this.#total) return "incomplete";
    return this.#ids.size === 0 ? "empty" : "complete";
  }
}

/** The region is closed to the account, or the provider does not know the project. */
export function isUnavailable({ kind }: ProviderFailure): boolean {
  return kind === "not-opened" || kind === "project-missing";
}
