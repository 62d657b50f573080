import { Id } from "@shared/ids.ts";
import { SortOrder } from "@shared/page.ts";
import { type ListRenewalsInput, RenewalSort, RenewalStatus } from "@shared/renewals.ts";
import { z } from "zod";
import { useSearchParams } from "@/lib/use-search-params";

/** The address of both pages; `renewal` is the request whose details are open. */
const RenewalsSearch = z.object({
  search: z.string().max(100).catch(""),
  status: RenewalStatus.optional().catch(undefined),
  sort: RenewalSort.optional().catch(undefined),
  order: SortOrder.catch("asc"),
  page: z.coerce.number().int().min(1).max(1_000_000).catch(1),
  renewal: Id.optional().catch(undefined),
});
export type RenewalsSearch = z.output<typeof RenewalsSearch>;

export const NO_FILTERS = { search: "", status: undefined } as const satisfies Partial<RenewalsSearch>;

export function useRenewalsSearch() {
  return useSearchParams(RenewalsSearch);
}

export type RenewalsSearchState = ReturnType<typeof useRenewalsSearch>;

export function isNarrowed({ search, status }: RenewalsSearch): boolean {
  return search !== "" || status !== undefined;
}

export function renewalsListInput({ search, status, page }: RenewalsSearch): Partial<ListRenewalsInput> {
  return { page, ...searchInput(search), ...(status === undefined ? {} : { status }) };
}

/** Undefined is the list's own, newest first. What waits begins with whoever has waited longest. */
export function shownOrder({
  sort,
  order,
  status,
}: RenewalsSearch): Pick<ListRenewalsInput, "sort" | "order"> | undefined {
  if (sort !== undefined) return { sort, order };
  return status === "pending" ? { sort: "createdAt", order: "asc" } : undefined;
}

export function searchInput(search: string): Pick<ListRenewalsInput, "search"> {
  const text = search.trim();
  return text === "" ? {} : { search: text };
}
