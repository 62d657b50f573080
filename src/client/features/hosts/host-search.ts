import { TagFilter } from "@shared/annotations.ts";
import { type Host, HostSort, HostStatus, MAX_EXPIRING_DAYS } from "@shared/hosts.ts";
import { Id } from "@shared/ids.ts";
import { MAX_PAGE_SIZE, PAGE_SIZE, SortOrder } from "@shared/page.ts";
import { knownRegions } from "@shared/regions.ts";
import { isClient, isSuperAdmin, type Role } from "@shared/roles.ts";
import { keepPreviousData } from "@tanstack/react-query";
import { z } from "zod";
import { trpc } from "@/api/trpc";
import { listSearch, SearchParam } from "@/lib/list-search";
import { useStored } from "@/lib/storage";
import { EXPIRY_REFETCH_MS } from "@/lib/use-now";
import { useSearchParams } from "@/lib/use-search-params";
import { useCurrentUser } from "@/session/session";

const TrueParam = z
  .literal("true")
  .transform(() => true)
  .optional()
  .catch(undefined);
const YesNoParam = z.enum(["true", "false"]).optional().catch(undefined);
const DaysParam = z.coerce.number().int().min(1).max(MAX_EXPIRING_DAYS).optional().catch(undefined);

const PageLimit = z.coerce.number().int().min(1).max(MAX_PAGE_SIZE);
const Region = z.string().max(50).optional().catch(undefined);
const RegionParam = z.object({ region: Region });

const useHostParams = listSearch({
  input: {
    search: SearchParam,
    status: HostStatus.optional().catch(undefined),
    region: Region,
    configId: Id.optional().catch(undefined),
    userId: Id.optional().catch(undefined),
    assigned: YesNoParam,
    /** At the provider. */
    expiring: DaysParam,
    expired: TrueParam,
    /** Hosts that end at the provider before an assignment does. */
    providerEndsFirst: TrueParam,
    autoRenew: YesNoParam,
    /** Several, with commas between them: hosts that have all of them. */
    tag: TagFilter.catch(undefined),
    /** Of an assignment. */
    assignedExpiring: DaysParam,
    assignedExpired: TrueParam,
    /** An own notice, of whose hosts the list is. */
    noticeId: Id.optional().catch(undefined),
    gone: TrueParam,
    sort: HostSort.optional().catch(undefined),
    order: SortOrder.catch("asc"),
    limit: PageLimit.optional().catch(undefined),
  },
  urlOnly: {
    host: Id.optional().catch(undefined),
    /** What is shown of the open host; without it its facts. */
    tab: z.enum(["history"]).optional().catch(undefined),
    view: z.enum(["tabs", "table"]).optional().catch(undefined),
  },
});

const SUPER_ADMIN_ONLY = ["gone", "configId", "assigned"];
const NOT_FOR_CLIENTS = ["userId", "expiring", "expired", "autoRenew", "providerEndsFirst", "tag"];

/** The parameters of the address that the role may not use. */
export function forbiddenFilters(role: Role): readonly string[] {
  return [
    ...(isClient(role) ? NOT_FOR_CLIENTS : []),
    ...(isSuperAdmin(role) ? [] : SUPER_ADMIN_ONLY),
  ];
}

/**
 * The address of the page: filters, order, page, view and the open host. A page is as long as the
 * address says, else as this browser had it last. A page beyond the first goes with the length it was
 * reached with, and is of the usual one without: it would hold other hosts.
 */
export function useHostSearch() {
  const { role } = useCurrentUser();
  const isRegionUnknown = useIsRegionUnknown();
  const search = useHostParams([...(isRegionUnknown ? ["region"] : []), ...forbiddenFilters(role)]);
  const [usualLimit, storeLimit] = useStored("hosts.limit", PageLimit, PAGE_SIZE);
  const impliedLimit = (page: number) => (page > 1 ? PAGE_SIZE : usualLimit);
  const { page, limit = impliedLimit(page) } = search.params;
  const resolved = { ...(isRegionUnknown ? { region: undefined } : {}), limit };

  return {
    ...search,
    params: { ...search.params, ...resolved },
    input: { ...search.input, ...resolved },
    setLimit(chosen: number): void {
      storeLimit(chosen);
      search.setFilters({ limit: chosen === PAGE_SIZE ? undefined : chosen });
    },
    setPage(next: number): void {
      const namedLimit = limit === impliedLimit(next) ? undefined : limit;
      search.setParams({ page: next, limit: namedLimit, host: undefined, tab: undefined });
    },
  };
}

/** Whether the address names a region that is no name of ours, and that no host is in. */
function useIsRegionUnknown(): boolean {
  const { region } = useSearchParams(RegionParam).params;
  const hasName = region === undefined || knownRegions().includes(region);
  const summary = trpc.hosts.summary.useQuery(undefined, { enabled: !hasName });
  const isInUse = summary.data?.regions.some((counts) => counts.region === region) ?? true;
  return !hasName && !isInUse;
}

export type HostSearch = ReturnType<typeof useHostSearch>;

/** The page of hosts that the address names. */
export function useHostList({ input }: HostSearch) {
  const { role } = useCurrentUser();
  const query = listInput(role, input);
  const hasExpiryFilter = [
    input.expiring,
    input.expired,
    input.providerEndsFirst,
    input.assignedExpiring,
    input.assignedExpired,
  ].some(Boolean);

  return trpc.hosts.list.useQuery(query, {
    placeholderData: keepPreviousData,
    refetchInterval: hasExpiryFilter && EXPIRY_REFETCH_MS,
  });
}

/**
 * What the list is asked for: without what the role may not send, and in the order that the role
 * reads it in where the address names none.
 */
export function listInput(role: Role, input: HostSearch["input"]) {
  const { sort, order, userId, tag, gone, configId, assigned, ...others } = input;
  const { expiring, expired, autoRenew, providerEndsFirst, ...filters } = others;
  const sorting = sort === undefined ? defaultSorting(role, input) : { sort, order };
  const forEverybody = { ...filters, ...sorting };
  if (isClient(role)) return forEverybody;

  const providerFilters = { expiring, expired, autoRenew: isYes(autoRenew), providerEndsFirst };
  const forAdmins = { ...forEverybody, userId, tag, ...providerFilters };
  if (!isSuperAdmin(role)) return forAdmins;

  return { ...forAdmins, gone, configId, assigned: isYes(assigned) };
}

function isYes(param: "true" | "false" | undefined): boolean | undefined {
  return param === undefined ? undefined : param === "true";
}

/** A client's hosts, and a list that is filtered by an end, begin with the soonest. */
function defaultSorting(role: Role, input: HostSearch["input"]): { sort?: HostSort } {
  if (isClient(role)) return { sort: "expireTime" };
  if (input.assignedExpiring || input.assignedExpired) return { sort: "assignedExpireTime" };
  if (input.expiring || input.expired || input.providerEndsFirst) return { sort: "expireTime" };
  return {};
}

/** Reads a page of hosts outside of React. */
export async function readHosts(
  client: ReturnType<typeof trpc.useUtils>["client"],
  role: Role,
  input: HostSearch["input"],
): Promise<Host[]> {
  const { hosts } = await client.hosts.list.query(listInput(role, input));
  return hosts;
}
