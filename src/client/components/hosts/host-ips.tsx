import type { HostIp } from "@shared/hosts.ts";
import { CopyableText } from "@/components/copyable-text";
import { NOTHING } from "@/lib/format";

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

/** Public addresses first, and how many others there are. */
export function FirstIp({ ips }: { ips: readonly HostIp[] }) {
  const [first, ...others] = sortedIps(ips);
  if (first === undefined) return <span className="text-subtle-foreground">{NOTHING}</span>;

  const addresses = others.map((ip) => `${ipKind(ip)} ${ip.IP}`).join("、");

  return (
    <span className="inline-flex items-center gap-1 whitespace-nowrap">
      <IpText ip={first} />
      {others.length > 0 ? (
        <span className="text-xs text-muted-foreground" title={addresses}>
          {`+${others.length}`}
        </span>
      ) : null}
    </span>
  );
}
