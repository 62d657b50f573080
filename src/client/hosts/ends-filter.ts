import type { Host, HostList } from "@shared/hosts.ts";
import type { Role } from "@shared/roles.ts";
import { DAY_SECONDS } from "@shared/time.ts";
import { expiryFor } from "./host-expiry";
import type { HostsSearch } from "./use-hosts-search";

/** Whether the address asks for hosts by their end. */
export function hasEndFilter({ expiring, expired }: HostsSearch): boolean {
  return expiring !== undefined || expired !== undefined;
}

/** The page of those whose end is asked for, the first to end first unless another order is: what the server does for a super admin alone. */
export function pageByEnd(hosts: readonly Host[], role: Role, search: HostsSearch, now: number): HostList {
  const { page, limit, expiring, sort } = search;
  const [from, to] = expiring === undefined ? [0, now - 1] : [now, now + expiring * DAY_SECONDS];
  const found = hosts
    .map((host) => ({ host, end: expiryFor(role, host) ?? -1 }))
    .filter(({ end }) => end >= from && end <= to)
    .sort((one, other) => (sort === undefined ? one.end - other.end : 0))
    .map(({ host }) => host);
  return {
    hosts: found.slice((page - 1) * limit, page * limit),
    pagination: { page, limit, total: found.length, totalPages: Math.ceil(found.length / limit) },
  };
}
