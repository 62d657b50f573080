import { isSuperAdmin, type Role } from "@shared/roles.ts";
import { keepPreviousData } from "@tanstack/react-query";
import { AGEING_MS } from "@/lib/ageing";
import { useCurrentUser } from "@/session";
import { trpc } from "@/trpc";
import type { HostsSearch } from "./use-hosts-search";

/** The page of hosts that the address names. */
export function useHostList(search: HostsSearch) {
  const { role } = useCurrentUser();
  const hasEndFilter = search.expiring !== undefined || search.expired !== undefined;
  return trpc.hosts.list.useQuery(hostListInput(role, search), {
    placeholderData: keepPreviousData,
    refetchInterval: hasEndFilter && AGEING_MS,
  });
}

/** The end that counts is the provider's for a super admin and the assignment's for others, who may not send the operator's filters. */
function hostListInput(role: Role, search: HostsSearch) {
  const {
    page,
    limit,
    search: text,
    status,
    region,
    sort,
    order,
    gone,
    configId,
    assigned,
    expiring,
    expired,
  } = search;
  const isExpired = expired === undefined ? undefined : true;
  const filters = isSuperAdmin(role)
    ? { gone: gone && true, configId, assigned: assigned && assigned === "true", expiring, expired: isExpired }
    : { assignedExpiring: expiring, assignedExpired: isExpired };
  const byEnd =
    !isSuperAdmin(role) && (expiring !== undefined || isExpired) ? ("assignedExpireTime" as const) : undefined;
  const wanted = { search: text.trim() || undefined, status, region, ...filters };
  return { page, limit, ...wanted, sort: sort ?? byEnd, order: sort && order };
}
