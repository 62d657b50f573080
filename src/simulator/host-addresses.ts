import type { Place } from "./catalogue.ts";
import type { HostPlace } from "./host-id.ts";
import type { Address } from "./host-item.ts";
import { type NonEmpty, type Random, token } from "./random.ts";

/** One private address, mostly one public one, now and then a second line or IPv6. Only 10.x and documentation ranges. */
export function generateAddresses(
  random: Random,
  host: { id: string; at: HostPlace; place: Place; fresh: boolean },
): Address[] {
  const vpc = token(8, "vpc", host.at.cell);
  const addresses: Address[] = [
    {
      IPMode: "IPv4",
      Type: "Private",
      IP: privateIp(host.at),
      Mac: mac(random),
      Default: "true",
      VPCId: `uvnet-${vpc}`,
      SubnetId: `subnet-${vpc}`,
    },
  ];
  // a public address shows up some time after the host itself
  if (host.fresh || random.chance(0.2)) return addresses;
  const types = PUBLIC_TYPES[host.place];
  const lines = random.chance(0.05) ? 2 : 1;
  for (let line = 0; line < lines; line++) {
    addresses.push({
      IPMode: "IPv4",
      Type: random.pick(types),
      IP: `${random.pick(DOCUMENTATION_RANGES)}.${random.int(1, 254)}`,
      IPId: `eip-${token(12, host.id, line)}`,
      Bandwidth: random.pick([1, 2, 5, 5, 10, 20, 50, 100, 200]),
      Weight: line === 0 ? 50 : 40,
    });
  }
  if (random.chance(0.03)) {
    addresses.push({
      IPMode: "IPv6",
      Type: "Internation",
      IP: `2001:db8:${host.at.cell.toString(16)}::${(host.at.index + 1).toString(16)}`,
      IPId: `eip-${token(12, host.id, "v6")}`,
      Bandwidth: 2,
      Weight: 50,
    });
  }
  return addresses;
}

const DOCUMENTATION_RANGES: NonEmpty<string> = ["192.0.2", "198.51.100", "203.0.113"];

const PUBLIC_TYPES: Record<Place, NonEmpty<string>> = {
  mainland: ["Bgp", "Bgp", "BGP"],
  hk: ["International", "International", "BGPPro"],
  overseas: ["International", "International", "Internation"],
};

function privateIp({ cell, index }: HostPlace): string {
  const subnet = Math.floor(index / 254);
  return `10.${(cell * 7 + (subnet >>> 8)) % 256}.${subnet % 256}.${(index % 254) + 1}`;
}

function mac(random: Random): string {
  const octet = () => random.int(0, 255).toString(16).padStart(2, "0").toUpperCase();
  return `52:54:00:${octet()}:${octet()}:${octet()}`;
}
