import type { HostIp } from "@shared/hosts.ts";
import { CopyableText } from "@/components/ui/copyable-text";

const kinds: Readonly<Record<string, string>> = { Private: "内网", International: "国际", Bgp: "BGP" };

/** The provider's word where we have no better one. */
export function ipKind(ip: HostIp): string {
  return Object.hasOwn(kinds, ip.Type) ? (kinds[ip.Type] ?? ip.Type) : ip.Type;
}

/** Public ones first: they are what people look for. */
export function sortedIps(ips: readonly HostIp[]): HostIp[] {
  return ips.toSorted((a, b) => Number(a.Type === "Private") - Number(b.Type === "Private"));
}

export function IpText({ ip }: { ip: HostIp }) {
  return <CopyableText text={ip.IP} label={`${ipKind(ip)} IP ${ip.IP}`} />;
}
