import { ProviderFailure } from "../../provider/failure.ts";
import { type HostPage, MAX_PAGE_SIZE } from "../../provider/uhost-api.ts";
import type { Reading } from "../absence/policy.ts";
import { tooManyHosts } from "./run-errors.ts";

const PAGES_AT_ONCE = 5;
/** Each failed page has cost its retries already. */
const MAX_FAILURES = 3;
/** A partition that announces more is not read on. */
export const MAX_PARTITION_HOSTS = 100_000;

export interface PartitionSource {
  fetchPage(offset: number): Promise<HostPage>;
  onPage(page: HostPage): Promise<void> | void;
}

export interface PartitionReading {
  readonly reading: Reading;
  /** The most hosts that the provider announced. */
  readonly announced: number;
  /** Different hosts that came, unreadable ones included if they have an id. */
  readonly received: number;
  /** Why records could not be read, one reason for each. */
  readonly rejections: readonly string[];
  readonly failures: readonly ProviderFailure[];
}

/** Reads the pages of one partition, once more when fewer hosts came than were announced. Rethrows all but provider failures. */
export async function readPartition(source: PartitionSource): Promise<PartitionReading> {
  const first = await readOnce(source);
  const isShort = first.reading === "incomplete" && first.failures.length === 0;
  if (!isShort) return first;
  const second = await readOnce(source);
  // A region that has just been read is open.
  return second.reading === "unavailable" ? first : second;
}

async function readOnce({ fetchPage, onPage }: PartitionSource): Promise<PartitionReading> {
  const ids = new Set<string>();
  const rejected = new Map<string, string>();
  const failures: ProviderFailure[] = [];
  let announced = 0;
  let refusedPages = 0;

  async function read(offset: number): Promise<void> {
    try {
      const page = await fetchPage(offset);
      announced = Math.max(announced, page.total);
      for (const { ucloudId } of page.hosts) ids.add(ucloudId);
      for (const [index, { ucloudId, reason }] of page.rejected.entries()) {
        if (ucloudId !== null) ids.add(ucloudId);
        rejected.set(ucloudId ?? `${offset} ${index}`, reason);
      }
      await onPage(page);
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      // The region has just been read: the provider refuses a page beyond the last one like a closed region.
      if (offset > 0 && error.kind === "not-opened") refusedPages += 1;
      else failures.push(error);
    }
  }

  await read(0);
  const result = (reading: Reading): PartitionReading => ({
    reading,
    announced,
    received: ids.size,
    rejections: [...rejected.values()],
    failures,
  });
  const [failure] = failures;
  if (failure?.kind === "not-opened" || failure?.kind === "project-missing") return result("unavailable");
  let offset = 0;
  const readOn = async () => {
    // A total may grow faster than it can be read.
    while (offset + MAX_PAGE_SIZE < announced && announced <= MAX_PARTITION_HOSTS && failures.length < MAX_FAILURES) {
      offset += MAX_PAGE_SIZE;
      await read(offset);
    }
  };
  if (failures.length === 0) await Promise.all(Array.from({ length: PAGES_AT_ONCE }, readOn));
  if (announced > MAX_PARTITION_HOSTS) failures.push(tooManyHosts(announced));
  if (failures.length > 0 || refusedPages > 0 || ids.size < announced) return result("incomplete");
  return result(ids.size === 0 ? "empty" : "complete");
}
