import type { ListHostsInput } from "@shared/hosts.ts";
import { isSuperAdmin, type Role } from "@shared/roles.ts";
import type { HostsSearch } from "./use-hosts-search";

/** What to ask the server for. The operator's filters are refused from anybody else, so an address that names them is asked without. */
export function hostListInput(role: Role, search: HostsSearch): Partial<ListHostsInput> {
  const text = search.search.trim();
  return {
    page: search.page,
    limit: search.limit,
    ...(search.sort === undefined ? {} : { sort: search.sort, order: search.order }),
    ...(text === "" ? {} : { search: text }),
    ...(search.status === undefined ? {} : { status: search.status }),
    ...(search.region === undefined ? {} : { region: search.region }),
    ...(isSuperAdmin(role) ? operatorFilters(search) : {}),
  };
}

function operatorFilters({ gone, configId, assigned, expiring, expired }: HostsSearch): Partial<ListHostsInput> {
  return {
    ...(gone === undefined ? {} : { gone: true }),
    ...(configId === undefined ? {} : { configId }),
    ...(assigned === undefined ? {} : { assigned: assigned === "true" }),
    ...(expiring === undefined ? {} : { expiring }),
    ...(expired === undefined ? {} : { expired: true }),
  };
}
