import ipaddr from "ipaddr.js";

/**
 * What counts as one address in limits: an IPv4 address, or the /64 of an IPv6 address, all of
 * which one customer has.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;

  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.toString();

  const withoutZone = parsed.toNormalizedString().replace(/%.*$/, "");
  return ipaddr.IPv6.networkAddressFromCIDR(`${withoutZone}/64`).toString();
}
