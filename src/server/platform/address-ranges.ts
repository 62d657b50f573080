import ipaddr from "ipaddr.js";

/**
 * Whether an address is one of these addresses or lies in one of these networks (CIDR). An IPv4
 * address that is written as an IPv6 one (`::ffff:203.0.113.7`) is that IPv4 address, on both sides.
 */
export function isWithinRanges(address: string, ranges: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false;

  const parsed = ipaddr.process(address);
  return ranges.some((range) => {
    const [network, prefixLength] = parseRange(range);
    return parsed.kind() === network.kind() && parsed.match(network, prefixLength);
  });
}

type Range = [network: ipaddr.IPv4 | ipaddr.IPv6, prefixLength: number];

const MAPPED_PREFIX = 96;

function parseRange(range: string): Range {
  const [network, prefixLength] = range.includes("/")
    ? ipaddr.parseCIDR(range)
    : wholeAddress(range);
  const isMapped = network instanceof ipaddr.IPv6 && network.isIPv4MappedAddress();
  if (!isMapped || prefixLength < MAPPED_PREFIX) return [network, prefixLength];

  return [network.toIPv4Address(), prefixLength - MAPPED_PREFIX];
}

function wholeAddress(address: string): Range {
  const parsed = ipaddr.parse(address);
  return [parsed, parsed.kind() === "ipv4" ? 32 : 128];
}
