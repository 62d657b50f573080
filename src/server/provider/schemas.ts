import { z } from "zod";
import { HostStatus } from "../../shared/hosts.ts";
import { isStorableText } from "../../shared/text.ts";
import { MAX_UNIX_SECONDS } from "../../shared/time.ts";

/** The largest value of an `integer` column. */
const MAX_INT = 2_147_483_647;

const Text = z.string().max(1_000).refine(isStorableText);
/** `""` when absent. */
const OptionalText = Text.nullish().transform((value) => value ?? "");
const Id = Text.max(100).regex(/^\S+$/);

/** The provider sends some numbers as text. */
const Numeric = z.union([
  z.number(),
  z
    .string()
    .regex(/^-?\d{1,15}(\.0+)?$/)
    .transform(Number),
]);
const Count = Numeric.pipe(z.int().min(0).max(MAX_INT));
/** 0 when absent. */
const OptionalCount = Count.nullish().transform((value) => value ?? 0);
/** Unix seconds; the provider's 0 means none. */
const Time = Numeric.pipe(z.int().min(0).max(MAX_UNIX_SECONDS))
  .nullish()
  .transform((value) => value || null);
/** Booleans come as such or as "True", "true", "Yes". */
const Flag = z
  .union([z.boolean(), z.string().transform((value) => /^(true|yes)$/i.test(value))])
  .nullish()
  .transform((value) => value ?? false);

/** One row per zone. */
export const RegionRow = z.object({
  Region: Id,
  Zone: OptionalText,
  IsDefault: Flag,
  RegionName: OptionalText,
  LocalName: OptionalText,
});

export const ProviderProject = z
  .object({ ProjectId: Id, ProjectName: OptionalText, IsDefault: Flag })
  .transform(({ ProjectId, ProjectName, IsDefault }) => ({ id: ProjectId, name: ProjectName, isDefault: IsDefault }));
export type ProviderProject = z.output<typeof ProviderProject>;

export const HostPageBody = z.object({ TotalCount: Count, UHostSet: z.array(z.unknown()).max(1_000) });

/** The provider spells these types in several ways; any other stays as it is. */
const IP_TYPES: ReadonlyMap<string, string> = new Map([
  ["private", "Private"],
  ["internation", "International"],
  ["international", "International"],
  ["bgp", "Bgp"],
]);
const IpType = OptionalText.transform((type) => IP_TYPES.get(type.toLowerCase()) ?? type);

const IpSet = z
  .array(z.object({ Type: IpType, IP: OptionalText }))
  .max(200)
  .nullish()
  .transform((ips) => (ips ?? []).filter(({ IP }) => IP !== ""));

/** Sum of the sizes in GB; null when no disk is listed. */
const DiskSet = z
  .array(z.object({ Size: OptionalCount }))
  .max(200)
  .nullish()
  .transform((disks) => (disks?.length ? disks.reduce((sum, { Size }) => sum + Size, 0) : null))
  .pipe(z.int().max(MAX_INT).nullable());

/**
 * One item of UHostSet: memory in MB, disk in GB (boot + data), times in Unix seconds. The item names neither its region nor its
 * project: they are those of the request.
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
    IPSet: IpSet,
  })
  .transform((item) => ({
    ucloudId: item.UHostId,
    name: item.Name,
    cpu: item.CPU,
    memory: item.Memory,
    disk: item.DiskSet ?? item.TotalDiskSpace,
    osName: item.OsName,
    osType: item.OsType,
    zone: item.Zone,
    status: HostStatus.catch("Unknown").parse(item.State),
    /** The provider's own word, `""` included. */
    providerStatus: item.State,
    chargeType: item.ChargeType,
    createTime: item.CreateTime,
    expireTime: item.ExpireTime,
    ipSet: item.IPSet,
  }));
export type ProviderHost = z.output<typeof ProviderHost>;

const HostId = z.object({ UHostId: Id }).transform(({ UHostId }) => UHostId);

/** The id of an item that is otherwise unreadable, if it has one. */
export function readHostId(item: unknown): string | null {
  return HostId.safeParse(item).data ?? null;
}

/** A Chinese sentence that names the unreadable field and never its value. */
export function rejectionReason({ issues: [issue] }: z.ZodError): string {
  const path = issue?.path.join(".") ?? "";
  if (path === "") return "记录不是对象";
  return path === "UHostId" ? "字段 UHostId 缺失或无法识别" : `字段 ${path} 的值无法识别`;
}
