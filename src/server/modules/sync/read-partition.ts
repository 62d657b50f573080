import { ProviderFailure } from "../../provider/failure.ts";
import { type HostPage, MAX_PAGE_SIZE } from "../../provider/uhost-api.ts";
import type { Reading } from "./absence.ts";
import { tooManyHosts } from "./run-errors.ts";

/** Twice as many as one key may request at once: the others wait for their hosts to be written. */
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

/** Reads the pages of one partition, once more when fewer hosts came than counted. Rethrows all but provider failures. */
export async function readPartition(readPage: ReadPage): Promise<PartitionReading> {
  const first = await readOnce(readPage);
  if (first.reading !== "incomplete" || first.failures.length > 0) return first;
  const second = await readOnce(readPage);
  // A region that has just been read is open.
  return second.reading === "unavailable" ? first : second;
}

async function readOnce(readPage: ReadPage): Promise<PartitionReading> {
  const ids = new Set<string>();
  const rejections: string[] = [];
  const failures: ProviderFailure[] = [];
  let total = 0;

  async function read(offset: number): Promise<void> {
    try {
      const page = await readPage(offset);
      total = Math.max(total, page.total);
      for (const { ucloudId } of page.hosts) ids.add(ucloudId);
      for (const { ucloudId, reason } of page.rejected) {
        if (ucloudId !== null) ids.add(ucloudId);
        rejections.push(reason);
      }
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      // The provider refuses a page beyond the last one like a closed region.
      if (offset === 0 || !isUnavailable(error)) failures.push(error);
    }
  }

  let offset = 0;
  async function readFurtherPages(): Promise<void> {
    while (
      offset + MAX_PAGE_SIZE < total &&
      total <= MAX_PARTITION_HOSTS &&
      failures.length < MAX_FAILURES
    ) {
      offset += MAX_PAGE_SIZE;
      await read(offset);
    }
  }

  function judge(): Reading {
    if (failures.some(isUnavailable)) return "unavailable";
    if (failures.length > 0 || ids.size < total) return "incomplete";
    return ids.size === 0 ? "empty" : "complete";
  }

  await read(0);
  if (failures.length === 0)
    await Promise.all(Array.from({ length: PAGES_AT_ONCE }, readFurtherPages));
  if (total > MAX_PARTITION_HOSTS) failures.push(tooManyHosts(total));
  return { reading: judge(), total, ids, rejections, failures };
}

/** The region is closed to the account, or the provider does not know the project. */
export function isUnavailable({ kind }: ProviderFailure): boolean {
  return kind === "not-opened" || kind === "project-missing";
}
