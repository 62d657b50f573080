import { HostSort, HostStatus, MAX_EXPIRING_DAYS } from "@shared/hosts.ts";
import { Id } from "@shared/ids.ts";
import { MAX_PAGE_SIZE, PAGE_SIZE, SortOrder } from "@shared/page.ts";
import { z } from "zod";
import { useSearchParams } from "@/lib/use-search-params";

const yesNo = z.enum(["true", "false"]).optional().catch(undefined);

/** The address of the page: what is looked for, in which order, which page of it, how it is drawn, which host is open. */
const HostsSearch = z.object({
  search: z.string().max(100).catch(""),
  status: HostStatus.optional().catch(undefined),
  region: z.string().max(50).optional().catch(undefined),
  configId: Id.optional().catch(undefined),
  assigned: yesNo,
  expiring: z.coerce.number().int().min(1).max(MAX_EXPIRING_DAYS).optional().catch(undefined),
  expired: z.literal("true").optional().catch(undefined),
  gone: z.literal("true").optional().catch(undefined),
  sort: HostSort.optional().catch(undefined),
  order: SortOrder.catch("asc"),
  page: z.coerce.number().int().min(1).max(1_000_000).catch(1),
  limit: z.coerce.number().int().min(1).max(MAX_PAGE_SIZE).catch(PAGE_SIZE),
  host: Id.optional().catch(undefined),
  view: z.enum(["tabs", "table"]).optional().catch(undefined),
});
export type HostsSearch = z.output<typeof HostsSearch>;

export const NO_FILTERS = {
  search: "",
  status: undefined,
  region: undefined,
  configId: undefined,
  assigned: undefined,
  expiring: undefined,
  expired: undefined,
  gone: undefined,
} as const satisfies Partial<HostsSearch>;

export function useHostsSearch() {
  return useSearchParams(HostsSearch);
}

export type HostsSearchState = ReturnType<typeof useHostsSearch>;

/** How many filters narrow the list; the search text is not among them. */
export function countFilters(search: HostsSearch): number {
  const { status, region, configId, assigned, expiring, expired, gone } = search;
  return [status, region, configId, assigned, expiring ?? expired, gone].filter((value) => value !== undefined).length;
}

export function isNarrowed(search: HostsSearch): boolean {
  return search.search !== "" || countFilters(search) > 0;
}
