import { AppError } from "../../core/errors.ts";
import type { ProviderClient } from "../../provider/client.ts";
import { ProviderFailure } from "../../provider/failure.ts";
import { findHosts, type HostPage, listHosts, MAX_PAGE_SIZE, type Partition } from "../../provider/uhost-api.ts";
import type { Lookup, Reading } from "../absence.ts";
import type { SeenHost } from "../run/host-sink.ts";
import { isUnavailable, readPartition } from "../run/read-partition.ts";

interface Check {
  readonly client: ProviderClient;
  readonly partition: Partition;
  readonly ucloudIds: readonly string[];
  readonly signal: AbortSignal;
}

export interface PartitionCheck {
  readonly seen: readonly SeenHost[];
  /** Null when the partition was not read. */
  readonly reading: Reading | null;
  readonly lookup: Lookup;
  readonly failure: AppError;
}

const INCOMPLETE = new AppError(
  "PROVIDER_ERROR",
  "未能完整读取该地域的主机列表，主机保持原状；请稍后做一次完整同步确认",
);
const UNREADABLE = new AppError("PROVIDER_ERROR", "云服务商返回的主机数据无法识别，主机保持原状，请稍后重试");

/** Those of a partition's hosts that the provider finds by id. Throws AppError when it gives no clear answer. */
export async function lookUpHosts({ client, partition, ucloudIds: ids, signal }: Check): Promise<SeenHost[]> {
  const page = await findHosts(client, { ...partition, ids }, signal);
  if (page.rejected.length > 0) throw UNREADABLE;
  return seenIn(partition, page);
}

/** Requests hosts of one partition by id. When some are missing, reads the whole partition and requests them once more. */
export async function checkPartition(check: Check): Promise<PartitionCheck> {
  const { client, partition, ucloudIds, signal } = check;
  const seen = new Map<string, SeenHost>();
  const listed = new Set<string>();
  const missing = () => ucloudIds.filter((id) => !seen.has(id));
  const take = (found: readonly SeenHost[]) => {
    for (const each of found) if (ucloudIds.includes(each.host.ucloudId)) seen.set(each.host.ucloudId, each);
  };
  const result = (reading: Reading | null, lookup: Lookup, failure: AppError = INCOMPLETE): PartitionCheck => ({
    seen: [...seen.values()],
    reading,
    lookup,
    failure,
  });
  try {
    take(await lookUpHosts(check));
    if (missing().length === 0) return result(null, "found");
    const { reading, failures } = await readPartition(async (offset) => {
      const page = await listHosts(client, { ...partition, offset, limit: MAX_PAGE_SIZE }, signal);
      for (const { ucloudId } of page.hosts) listed.add(ucloudId);
      take(seenIn(partition, page));
      return page;
    });
    if (missing().length > 0) take(await lookUpHosts({ ...check, ucloudIds: missing() }));
    const isLeftOut = [...seen.keys()].some((id) => !listed.has(id));
    return result(reading, isLeftOut ? "found" : "absent", failures[0]);
  } catch (error) {
    if (signal.aborted) return result(null, "inconclusive", new ProviderFailure("timeout"));
    if (error instanceof ProviderFailure && isUnavailable(error)) return result("unavailable", "skipped");
    if (error instanceof AppError) return result(null, "inconclusive", error);
    throw error;
  }
}

function seenIn(partition: Partition, { hosts, requestedAt }: HostPage): SeenHost[] {
  return hosts.map((host) => ({ host, partition, requestedAt }));
}
