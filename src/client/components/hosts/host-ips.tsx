import type { HostIp } from "@shared/hosts.ts";
import { CopyableText } from "@/components/copyable-text";

const IP_KINDS: ReadonlyMap<string, string> = new Map([
  ["Private", "内网"],
  ["International", "国际"],
  ["Bgp", "BGP"],
]);

/** The provider's word where we have none. */
export function ipKind({ Type }: HostIp): string {
  return IP_KINDS.get(Type) ?? Type;
}

/** Public addresses first. */
export function sortedIps(ips: readonly HostIp[]): HostIp[] {
  return ips.toSorted((a, b) => Number(a.Type === "Private") - Number(b.Type === "Private"));
}

export function IpText({ ip }: { ip: HostIp }) {
  return <CopyableText text={ip.IP} label={`${ipKind(ip)} IP ${ip.IP}`} />;
}
