import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** Names of this machine or its own network; refused before any DNS lookup. */
const PRIVATE_SUFFIXES = ["localhost", "localdomain", "local", "internal", "home.arpa"];

const IPV6_GLOBAL_UNICAST = ipaddr.parseCIDR("2000::/3");

/**
 * The address as a URL with host in WHATWG form (odd spellings of IPs already normalised); null
 * unless http(s) without credentials.
 */
export function parseEndpoint(url: string): URL | null {
  if (!URL.canParse(url)) return null;
  const endpoint = new URL(url);
  if (endpoint.protocol !== "http:" && endpoint.protocol !== "https:") return null;
  return endpoint.username === "" && endpoint.password === "" ? endpoint : null;
}

export function literalAddress(hostname: string): string | null {
  const bare = hostname.replace(/^\[|\]$/g, "");
  return isIP(bare) === 0 ? null : bare;
}

/**
 * True only for globally routed unicast: everything private, reserved, special or wrapping an IPv4
 * address in IPv6 is not.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== "unicast") return false;
  return parsed.kind() === "ipv4" || parsed.match(IPV6_GLOBAL_UNICAST);
}

/**
 * True when the host alone, before any DNS lookup, must not be called: a private literal, a private
 * name, an odd spelling.
 */
export function isRefusedHost(hostname: string): boolean {
  const address = literalAddress(hostname);
  if (address !== null) return !isPublicAddress(address);
  const name = hostname.toLowerCase();
  if (name === "" || name.endsWith(".") || name.includes("%") || name.includes(":")) return true;
  return PRIVATE_SUFFIXES.some((suffix) => name === suffix || name.endsWith(`.${suffix}`));
}
