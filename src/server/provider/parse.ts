import { z } from "zod";
import { type HostIp, HostStatus } from "../../shared/hosts.ts";
import { isStorableText } from "../../shared/text.ts";
import { UnixSeconds } from "../../shared/time.ts";
import type { ProviderHost, RejectedHost } from "./types.ts";

const MAX_TEXT = 1_000;
const MAX_ID = 100;
const MAX_ITEMS = 200;
/** What an `integer` column holds. */
const MAX_INT = 2_147_483_647;

const Text = z.string().max(MAX_TEXT).refine(isStorableText);
const OptionalText = Text.nullish().transform((value) => value ?? "");
const Id = Text.max(MAX_ID).regex(/^\S+$/);

/** A number, or its plain decimal text: the provider's models are not always right about which. */
const Numeric = z.union([
  z.number(),
  z
    .string()
    .regex(/^-?\d{1,15}(\.0+)?$/)
    .transform(Number),
]);
const Count = Numeric.pipe(z.int().min(0).max(MAX_INT));
const OptionalCount = Count.nullish().transform((value) => value ?? 0);
/** 0 is how the provider says "none". */
const OptionalTime = Numeric.pipe(UnixSeconds)
  .nullish()
  .transform((value) => (value ? value : null));
/** Booleans come as such or as "True", "true", "Yes". */
const Flag = z
  .union([z.boolean(), z.string().transform((value) => /^(true|yes)$/i.test(value))])
  .nullish()
  .transform((value) => value ?? false);

const DiskItem = z.object({ Size: OptionalCount });
const IpItem = z.object({ Type: OptionalText, IP: OptionalText });

const HostItem = z.object({
  UHostId: Id,
  Name: OptionalText,
  Zone: OptionalText,
  State: OptionalText,
  CPU: OptionalCount,
  Memory: OptionalCount,
  ChargeType: OptionalText,
  CreateTime: OptionalTime,
  ExpireTime: OptionalTime,
  OsName: OptionalText,
  OsType: OptionalText,
  TotalDiskSpace: OptionalCount,
  DiskSet: z.array(DiskItem).max(MAX_ITEMS).nullish(),
  IPSet: z.array(IpItem).max(MAX_ITEMS).nullish(),
});

/** One row per zone. */
export const RegionItem = z.object({
  Region: Id,
  Zone: OptionalText,
  IsDefault: Flag,
  RegionName: OptionalText,
  LocalName: OptionalText,
});

export const ProjectItem = z.object({ ProjectId: Id, ProjectName: OptionalText, IsDefault: Flag });

export const HostPageBody = z.object({ TotalCount: Count, UHostSet: z.array(z.unknown()) });

/** One item of UHostSet in our words. An item with anything unreadable in a field we use is refused whole. */
export function parseHost(item: unknown): { host: ProviderHost } | { rejected: RejectedHost } {
  const parsed = HostItem.safeParse(item);
  if (!parsed.success) return { rejected: { id: readId(item), reason: reasonOf(parsed.error) } };
  const { data } = parsed;
  const disk = diskSize(data.DiskSet ?? [], data.TotalDiskSpace);
  if (disk > MAX_INT) return { rejected: { id: data.UHostId, reason: "字段 DiskSet 的值无法识别" } };
  return {
    host: {
      ucloudId: data.UHostId,
      name: data.Name,
      cpu: data.CPU,
      memory: data.Memory,
      disk,
      osName: data.OsName,
      osType: data.OsType,
      zone: data.Zone,
      status: HostStatus.safeParse(data.State).data ?? "Unknown",
      providerStatus: data.State,
      chargeType: data.ChargeType,
      createTime: data.CreateTime,
      expireTime: data.ExpireTime,
      ipSet: (data.IPSet ?? [])
        .filter(({ IP }) => IP !== "")
        .map(({ Type, IP }): HostIp => ({ Type: ipType(Type), IP })),
    },
  };
}

/** TotalDiskSpace counts data disks only, so it is the second choice. */
function diskSize(disks: readonly { Size: number }[], totalDiskSpace: number): number {
  return disks.length === 0 ? totalDiskSpace : disks.reduce((sum, { Size }) => sum + Size, 0);
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

function readId(item: unknown): string | null {
  return z.object({ UHostId: Id }).safeParse(item).data?.UHostId ?? null;
}

function reasonOf(error: z.ZodError): string {
  const path = error.issues[0]?.path ?? [];
  if (path.length === 0) return "记录不是对象";
  return path[0] === "UHostId" ? "字段 UHostId 缺失或无法识别" : `字段 ${path.join(".")} 的值无法识别`;
}
