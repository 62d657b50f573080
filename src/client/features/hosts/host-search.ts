import { HostSort, HostStatus, MAX_EXPIRING_DAYS } from "@shared/hosts.ts";
import { Id } from "@shared/ids.ts";
import { MAX_PAGE_SIZE, PAGE_SIZE, SortOrder } from "@shared/page.ts";
import { isClient, isSuperAdmin, type Role } from "@shared/roles.ts";
import { keepPreviousData } from "@tanstack/react-query";
import { z } from "zod";
import { trpc } from "@/api/trpc";
import { listSearch, SearchParam } from "@/lib/list-search";
import { EXPIRY_REFETCH_MS } from "@/lib/use-now";
import { useCurrentUser } from "@/session/session";

const TrueParam = z
  .literal("true")
  .transform(() => true)
  .optional()
  .catch(undefined);
const DaysParam = z.coerce.number().int().min(1).max(MAX_EXPIRING_DAYS).optional().catch(undefined);

const useHostParams = listSearch({
  input: {
    search: SearchParam,
    status: HostStatus.optional().catch(undefined),
    region: z.string().max(50).optional().catch(undefined),
    configId: Id.optional().catch(undefined),
    userId: Id.optional().catch(undefined),
    assigned: z.enum(["true", "false"]).optional().catch(undefined),
    /** At the provider. */
    expiring: DaysParam,
    expired: TrueParam,
    /** Of an assignment. */
    assignedExpiring: DaysParam,
    assignedExpired: TrueParam,
    gone: TrueParam,
    sort: HostSort.optional().catch(undefined),
    order: SortOrder.catch("asc"),
    limit: z.coerce.number().int().min(1).max(MAX_PAGE_SIZE).catch(PAGE_SIZE),
  },
  urlOnly: {
    host: Id.optional().catch(undefined),
    view: z.enum(["tabs", "table"]).optional().catch(undefined),
  },
});

const SUPER_ADMIN_ONLY = ["gone", "configId", "assigned", "expiring", "expired"];

/** The address of the page: filters, order, page, view and the open host. */
export function useHostSearch() {
  const { role } = useCurrentUser();
  const search = useHostParams([
    ...(isClient(role) ? ["userId"] : []),
    ...(isSuperAdmin(role) ? [] : SUPER_ADMIN_ONLY),
  ]);
  return { ...search, setPage: (page: number) => search.setParams({ page, host: undefined }) };
}

export type HostSearch = ReturnType<typeof useHostSearch>;

/** The page of hosts that the address names. */
export function useHostList({ input }: HostSearch) {
  const { role } = useCurrentUser();
  const query = listInput(role, input);
  const hasExpiryFilter = [
    input.expiring,
    input.expired,
    input.assignedExpiring,
    input.assignedExpired,
  ].some(Boolean);

  return trpc.hosts.list.useQuery(query, {
    placeholderData: keepPreviousData,
    refetchInterval: hasExpiryFilter && EXPIRY_REFETCH_MS,
  });
}

/** Leaves out what the role may not send. A list filtered by expiry begins with the soonest. */
export function listInput(role: Role, input: HostSearch["input"]) {
  const { sort, order, userId, gone, configId, assigned, expiring, expired, ...shared } = input;
  const byExpiry =
    shared.assignedExpiring || shared.assignedExpired ? ("assignedExpireTime" as const) : undefined;

  return {
    ...shared,
    sort: sort ?? byExpiry,
    order: sort && order,
    ...(isClient(role) ? {} : { userId }),
    ...(isSuperAdmin(role)
      ? { gone, configId, assigned: assigned && assigned === "true", expiring, expired }
      : {}),
  };
}
