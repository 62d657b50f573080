import { z } from "zod";

/** What the console should show of a host, by the contract and not by the code of the product. */
export type ExpectedHost = z.output<typeof ExpectedHost>;

const STATUSES = ["Running", "Stopped", "Starting", "Stopping", "Rebooting"];
const PREPAID = ["Year", "Month"];
/** One type is spelled in several ways. */
const IP_TYPES: Readonly<Record<string, string>> = {
  private: "Private",
  bgp: "Bgp",
  internation: "International",
  international: "International",
};

const Text = z.string().default("");
const Count = z.int().default(0);
const Time = z.int().optional();
const Address = z.object({ Type: z.string(), IP: z.string(), Weight: Count });
type Address = z.output<typeof Address>;

export const ExpectedHost = z
  .object({
    UHostId: z.string(),
    Name: Text,
    Zone: Text,
    CPU: Count,
    Memory: Count,
    DiskSet: z.array(z.object({ Size: Count })).default([]),
    OsName: Text,
    OsType: Text,
    State: Text,
    ChargeType: Text,
    CreateTime: Time,
    ExpireTime: Time,
    IPSet: z.array(Address).default([]),
  })
  .transform((host) => ({
    ucloudId: host.UHostId,
    name: host.Name,
    zone: host.Zone,
    cpu: host.CPU,
    memory: host.Memory,
    disk: host.DiskSet.reduce((sum, { Size }) => sum + Size, 0),
    osName: host.OsName,
    osType: host.OsType,
    status: STATUSES.includes(host.State) ? host.State : "Unknown",
    providerStatus: host.State,
    chargeType: host.ChargeType,
    createTime: host.CreateTime ?? null,
    expireTime: PREPAID.includes(host.ChargeType) ? (host.ExpireTime ?? null) : null,
    ipSet: host.IPSet.toSorted(byPlace).map(({ Type, IP }) => {
      return { Type: IP_TYPES[Type.toLowerCase()] ?? Type, IP };
    }),
  }));

/** Private addresses first, then the higher weight, then by address. */
function byPlace(one: Address, other: Address): number {
  const rank = ({ Type }: Address) => (Type.toLowerCase() === "private" ? 0 : 1);
  const byText = one.IP < other.IP ? -1 : 1;
  return rank(one) - rank(other) || other.Weight - one.Weight || byText;
}
