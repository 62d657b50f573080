import { z } from "zod";
import { HostStatus, providerEnd, providerRenewal } from "../../shared/hosts.ts";
import { isStorableText } from "../../shared/text.ts";
import { MAX_UNIX_SECONDS } from "../../shared/time.ts";

const MAX_INTEGER_COLUMN = 2_147_483_647;

const Text = z.string().max(1_000).refine(isStorableText);
const OptionalText = Text.nullish();
const Id = Text.max(100).regex(/^\S+$/);

const NumberText = z.string().regex(/^-?\d{1,15}(\.0+)?$/);
const Numeric = z.union([z.number(), NumberText.transform(Number)]);
const Count = Numeric.pipe(z.int().min(0).max(MAX_INTEGER_COLUMN));
const OptionalCount = Count.nullish();
/** Unix seconds; the provider's 0 means none. */
const Time = Numeric.pipe(z.int().min(0).max(MAX_UNIX_SECONDS)).nullish();

export const Envelope = z.looseObject({ RetCode: Numeric.pipe(z.int()) });

export const ProviderRegion = z.object({ Region: Id }).transform(({ Region }) => Region);
export const ProviderProject = z.object({ ProjectId: Id }).transform(({ ProjectId }) => ProjectId);

export const HostPageBody = z.object({
  TotalCount: Count,
  UHostSet: z.array(z.unknown()).max(1_000),
});

/** The provider spells these types in several ways; any other stays as it is. */
const IP_TYPES: ReadonlyMap<string, string> = new Map([
  ["private", "Private"],
  ["internation", "International"],
  ["international", "International"],
  ["bgp", "Bgp"],
]);
const Address = z
  .object({ Type: OptionalText, IP: OptionalText, Weight: Count.nullish().catch(null) })
  .transform(({ Type, IP, Weight }) => ({
    Type: ipType(Type ?? ""),
    IP: IP ?? "",
    weight: Weight ?? 0,
  }));
type Address = z.output<typeof Address>;

function ipType(type: string): string {
  return IP_TYPES.get(type.toLowerCase()) ?? type;
}

/**
 * The provider lists the addresses of a host in any order, and in another one the next time. They
 * are kept in one order: private ones, then by falling weight, because the host's traffic leaves
 * through the public address with the highest weight, then by their text.
 */
const IpSet = z
  .array(Address)
  .max(200)
  .nullish()
  .transform((addresses) => {
    const listed = (addresses ?? []).filter(({ IP }) => IP !== "");
    return listed.toSorted(compareAddresses).map(({ Type, IP }) => ({ Type, IP }));
  });

function compareAddresses(one: Address, other: Address): number {
  const byPrivate = Number(other.Type === "Private") - Number(one.Type === "Private");
  const byWeight = other.weight - one.weight;
  return byPrivate || byWeight || compareTexts(one.IP, other.IP);
}

/** Not by the language of the machine: all replicas store one order. */
function compareTexts(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** Sum of the sizes in GB; null when no disk is listed. */
const DiskSet = z
  .array(z.object({ Size: OptionalCount }))
  .max(200)
  .nullish()
  .transform((disks) => {
    if (!disks?.length) return null;
    return disks.reduce((sum, { Size }) => sum + (Size ?? 0), 0);
  })
  .pipe(z.int().max(MAX_INTEGER_COLUMN).nullable());

const Status = HostStatus.catch("Unknown");

/** Yes and no as the provider has spelled them in several years; null for everything else. */
const YES_OR_NO: ReadonlyMap<string, boolean> = new Map([
  ...["yes", "y", "true", "on", "1"].map((yes) => [yes, true] as const),
  ...["no", "n", "false", "off", "0"].map((no) => [no, false] as const),
]);
const Flag = z
  .union([z.string(), z.boolean(), z.number()])
  .transform((flag) => YES_OR_NO.get(String(flag).trim().toLowerCase()) ?? null)
  .catch(null);

/**
 * Memory in MB, disk in GB (boot and data), times in Unix seconds. Region and project are those of
 * the request. Source: docs.ucloud.cn/api/uhost-api/describe_uhost_instance.
 */
export const ProviderHost = z
  .object({
    UHostId: Id,
    Name: OptionalText,
    CPU: OptionalCount,
    Memory: OptionalCount,
    // Counts data disks only, so it is the second choice.
    TotalDiskSpace: OptionalCount,
    DiskSet,
    OsName: OptionalText,
    OsType: OptionalText,
    Zone: OptionalText,
    State: OptionalText,
    ChargeType: OptionalText,
    CreateTime: Time,
    ExpireTime: Time,
    AutoRenew: Flag,
    IPSet: IpSet,
  })
  .transform(({ ChargeType, ExpireTime, AutoRenew, ...item }) => ({
    ucloudId: item.UHostId,
    name: item.Name ?? "",
    cpu: item.CPU ?? 0,
    memory: item.Memory ?? 0,
    disk: item.DiskSet ?? item.TotalDiskSpace ?? 0,
    osName: item.OsName ?? "",
    osType: item.OsType ?? "",
    zone: item.Zone ?? "",
    status: Status.parse(item.State),
    providerStatus: item.State ?? "",
    chargeType: ChargeType ?? "",
    createTime: item.CreateTime || null,
    expireTime: providerEnd({ chargeType: ChargeType ?? "", expireTime: ExpireTime || null }),
    autoRenew: providerRenewal({ chargeType: ChargeType ?? "", autoRenew: AutoRenew }),
    ipSet: item.IPSet,
  }));
export type ProviderHost = z.output<typeof ProviderHost>;

export interface RejectedHost {
  /** Null when it cannot be read either. */
  readonly ucloudId: string | null;
  readonly reason: string;
}

const HostId = z.object({ UHostId: Id });

/** For an item that is no ProviderHost. `reason` is in Chinese, without the provider's text. */
export function describeRejected(item: unknown, { issues: [issue] }: z.ZodError): RejectedHost {
  const path = issue?.path.join(".") ?? "";
  return { ucloudId: HostId.safeParse(item).data?.UHostId ?? null, reason: reasonOf(path) };
}

function reasonOf(path: string): string {
  if (path === "") return "记录不是对象";
  return path === "UHostId" ? "字段 UHostId 缺失或无法识别" : `字段 ${path} 的值无法识别`;
}
