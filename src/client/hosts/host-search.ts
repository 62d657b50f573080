import { HostSort, HostStatus, MAX_EXPIRING_DAYS } from "@shared/hosts.ts";
import { Id } from "@shared/ids.ts";
import { MAX_PAGE_SIZE, PAGE_SIZE, SortOrder } from "@shared/page.ts";
import { isSuperAdmin, type Role } from "@shared/roles.ts";
import { keepPreviousData } from "@tanstack/react-query";
import { z } from "zod";
import { trpc } from "@/api/trpc";
import { AGEING_MS } from "@/lib/ageing";
import { listSearch, SearchParam } from "@/lib/list-search";
import { useCurrentUser } from "@/session/session";

const Yes = z.literal("true").optional().catch(undefined);

const useHostParams = listSearch(
  {
    search: SearchParam,
    status: HostStatus.optional().catch(undefined),
    region: z.string().max(50).optional().catch(undefined),
    configId: Id.optional().catch(undefined),
    assigned: z.enum(["true", "false"]).optional().catch(undefined),
    expiring: z.coerce.number().int().min(1).max(MAX_EXPIRING_DAYS).optional().catch(undefined),
    expired: Yes,
    gone: Yes,
    sort: HostSort.optional().catch(undefined),
    order: SortOrder.catch("asc"),
    limit: z.coerce.number().int().min(1).max(MAX_PAGE_SIZE).catch(PAGE_SIZE),
  },
  { host: Id.optional().catch(undefined), view: z.enum(["tabs", "table"]).optional().catch(undefined) },
);

/** The address of the page: filters, order, page, view and the open host. */
export function useHostSearch() {
  const search = useHostParams();
  return { ...search, setPage: (page: number) => search.setParams({ page, host: undefined }) };
}

export type HostSearch = ReturnType<typeof useHostSearch>;

/** The page of hosts that the address names. */
export function useHostList({ input }: HostSearch) {
  const { role } = useCurrentUser();
  const hasEndFilter = input.expiring !== undefined || input.expired !== undefined;
  return trpc.hosts.list.useQuery(listInput(role, input), {
    placeholderData: keepPreviousData,
    refetchInterval: hasEndFilter && AGEING_MS,
  });
}

/** The end that counts is the provider's for a super admin and the assignment's for others, who may not send the operator's filters. */
function listInput(role: Role, input: HostSearch["input"]) {
  const { page, limit, search, status, region, sort, order, gone, configId, assigned, expiring, expired } = input;
  const isExpired = expired && true;
  const filters = isSuperAdmin(role)
    ? { gone: gone && true, configId, assigned: assigned && assigned === "true", expiring, expired: isExpired }
    : { assignedExpiring: expiring, assignedExpired: isExpired };
  const byEnd =
    !isSuperAdmin(role) && (expiring !== undefined || isExpired) ? ("assignedExpireTime" as const) : undefined;
  const wanted = { search: search.trim() || undefined, status, region, ...filters };
  return { page, limit, ...wanted, sort: sort ?? byEnd, order: sort && order };
}
