import { AppError } from "../../core/errors.ts";
import type { ProviderClient } from "../../provider/client.ts";
import { ProviderFailure } from "../../provider/failure.ts";
import { findHosts, type HostPage, listHosts, MAX_PAGE_SIZE } from "../../provider/uhost-api.ts";
import type { LookUp, Reading } from "../absence/policy.ts";
import type { SeenHost } from "../run/host-sink.ts";
import type { Partition } from "../run/partitions.ts";
import { readPartition } from "../run/read-partition.ts";

interface Check {
  readonly client: ProviderClient;
  readonly partition: Partition;
  readonly ucloudIds: readonly string[];
  readonly signal: AbortSignal;
}

export interface PartitionCheck {
  readonly seen: readonly SeenHost[];
  readonly reading: Reading;
  readonly lookUp: LookUp;
  /** Why missing hosts are kept. */
  readonly failure: AppError;
}

const INCOMPLETE = new AppError(
  "PROVIDER_ERROR",
  "未能完整读取该地域的主机列表，主机保持原状；请稍后做一次完整同步确认",
);
const UNREADABLE = new AppError("PROVIDER_ERROR", "云服务商返回的主机数据无法识别，主机保持原状，请稍后重试");

/** Asks for hosts of one partition by id. When some are missing, reads the whole partition and asks for them once more. */
export async function checkPartition({ client, partition, ucloudIds, signal }: Check): Promise<PartitionCheck> {
  const seen = new Map<string, SeenHost>();
  const listed = new Set<string>();
  const wanted = new Set(ucloudIds);
  const missing = () => ucloudIds.filter((id) => !seen.has(id));
  const take = ({ hosts, askedAt }: HostPage) => {
    for (const host of hosts) if (wanted.has(host.ucloudId)) seen.set(host.ucloudId, { host, partition, askedAt });
  };
  const findMissing = async () => {
    const page = await findHosts(client, { ...partition, ids: missing() }, signal);
    take(page);
    if (page.rejected.length > 0) throw UNREADABLE;
  };
  const result = (reading: Reading, lookUp: LookUp, failure: AppError = INCOMPLETE): PartitionCheck => ({
    seen: [...seen.values()],
    reading,
    lookUp,
    failure,
  });
  try {
    await findMissing();
    if (missing().length === 0) return result("incomplete", "not-asked");
    const { reading, failures } = await readPartition({
      fetchPage: (offset) => listHosts(client, { ...partition, offset, limit: MAX_PAGE_SIZE }, signal),
      onPage(page) {
        for (const { ucloudId } of page.hosts) listed.add(ucloudId);
        take(page);
      },
    });
    if (missing().length > 0) await findMissing();
    const isLeftOut = [...seen.keys()].some((id) => !listed.has(id));
    return result(reading, isLeftOut ? "found" : "absent", failures[0]);
  } catch (error) {
    const isUnavailable = error instanceof ProviderFailure && ["not-opened", "project-missing"].includes(error.kind);
    if (isUnavailable) return result("unavailable", "not-asked");
    if (signal.aborted) return result("incomplete", "inconclusive", new ProviderFailure("timeout"));
    if (error instanceof AppError) return result("incomplete", "inconclusive", error);
    throw error;
  }
}
