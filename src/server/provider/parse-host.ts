import { type HostIp, HostStatus } from "../../shared/hosts.ts";
import {
  type Fields,
  MAX_INT,
  readCount,
  readFields,
  readId,
  readItems,
  readText,
  readTime,
  UnreadableField,
} from "./fields.ts";
import type { ProviderHost, RejectedHost } from "./types.ts";

const STATUSES: ReadonlyMap<string, HostStatus> = new Map(HostStatus.options.map((status) => [status, status]));

/** One item of UHostSet in our words. An item with anything unreadable in a field we use is refused whole. */
export function parseHost(item: unknown): { host: ProviderHost } | { rejected: RejectedHost } {
  try {
    return { host: readHost(readFields(item)) };
  } catch (error) {
    if (!(error instanceof UnreadableField)) throw error;
    return { rejected: { id: idOf(item), reason: reasonOf(error) } };
  }
}

function readHost(fields: Fields): ProviderHost {
  const ucloudId = readId(fields, "UHostId");
  const state = readText(fields, "State");
  return {
    ucloudId,
    name: readText(fields, "Name"),
    cpu: readCount(fields, "CPU"),
    memory: readCount(fields, "Memory"),
    disk: readDisk(fields),
    osName: readText(fields, "OsName"),
    osType: readText(fields, "OsType"),
    zone: readText(fields, "Zone"),
    status: STATUSES.get(state) ?? "Unknown",
    providerStatus: state,
    chargeType: readText(fields, "ChargeType"),
    createTime: readTime(fields, "CreateTime"),
    expireTime: readTime(fields, "ExpireTime"),
    ipSet: readItems(fields, "IPSet", readIp).filter(({ IP }) => IP !== ""),
  };
}

/** TotalDiskSpace counts data disks only, so it is the second choice. */
function readDisk(fields: Fields): number {
  const total = readCount(fields, "TotalDiskSpace");
  const disks = readItems(fields, "DiskSet", (disk) => readCount(disk, "Size"));
  const sum = disks.length === 0 ? total : disks.reduce((before, size) => before + size, 0);
  if (sum > MAX_INT) throw new UnreadableField("DiskSet");
  return sum;
}

function readIp(fields: Fields): HostIp {
  return { Type: ipType(readText(fields, "Type")), IP: readText(fields, "IP") };
}

/** The provider spells its own words in several ways; those it has no second spelling for stay as they are. */
function ipType(type: string): string {
  switch (type.toLowerCase()) {
    case "private":
      return "Private";
    case "internation":
    case "international":
      return "International";
    case "bgp":
      return "Bgp";
    default:
      return type;
  }
}

function idOf(item: unknown): string | null {
  try {
    return readId(readFields(item), "UHostId");
  } catch {
    return null;
  }
}

function reasonOf({ path }: UnreadableField): string {
  if (path === "") return "记录不是对象";
  return path === "UHostId" ? "字段 UHostId 缺失或无法识别" : `字段 ${path} 的值无法识别`;
}
