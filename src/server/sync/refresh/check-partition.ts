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
export const UNREADABLE = new AppError("PROVIDER_ERROR", "云服务商返回的主机数据无法识别，主机保持原状，请稍后重试");

/** Requests hosts of one partition by id. When some are missing, reads the whole partition and requests them once more. */
export async function checkPartition({ client, partition, ucloudIds, signal }: Check): Promise<PartitionCheck> {
  const seen = new Map<string, SeenHost>();
  const listed = new Set<string>();
  const missing = () => ucloudIds.filter((id) => !seen.has(id));
  const take = ({ hosts, requestedAt }: HostPage) => {
    for (const host of hosts) {
      if (ucloudIds.includes(host.ucloudId)) seen.set(host.ucloudId, { host, partition, requestedAt });
    }
  };
  const findMissing = async () => {
    const page = await findHosts(client, { ...partition, ids: missing() }, signal);
    take(page);
    if (page.rejected.length > 0) throw UNREADABLE;
  };
  const result = (reading: Reading | null, lookup: Lookup, failure: AppError = INCOMPLETE): PartitionCheck => ({
    seen: [...seen.values()],
    reading,
    lookup,
    failure,
  });
  try {
    await findMissing();
    if (missing().length === 0) return result(null, "found");
    const { reading, failures } = await readPartition(async (offset) => {
      const page = await listHosts(client, { ...partition, offset, limit: MAX_PAGE_SIZE }, signal);
      for (const { ucloudId } of page.hosts) listed.add(ucloudId);
      take(page);
      return page;
    });
    if (missing().length > 0) await findMissing();
    const isLeftOut = [...seen.keys()].some((id) => !listed.has(id));
    return result(reading, isLeftOut ? "found" : "absent", failures[0]);
  } catch (error) {
    if (signal.aborted) return result(null, "inconclusive", new ProviderFailure("timeout"));
    if (error instanceof ProviderFailure && isUnavailable(error)) return result("unavailable", "skipped");
    if (error instanceof AppError) return result(null, "inconclusive", error);
    throw error;
  }
}
