import { Id } from "@shared/ids.ts";
import { SortOrder } from "@shared/page.ts";
import { type ListRenewalsInput, RenewalSort, RenewalStatus } from "@shared/renewals.ts";
import { listSearch, SearchParam } from "@/lib/list-search";

/** Of both pages; `renewal` is the request whose details are open. */
export const useRenewalSearch = listSearch(
  { search: SearchParam, status: RenewalStatus.optional().catch(undefined) },
  {
    sort: RenewalSort.optional().catch(undefined),
    order: SortOrder.catch("asc"),
    renewal: Id.optional().catch(undefined),
  },
);

export type RenewalSearch = ReturnType<typeof useRenewalSearch>;

/** Undefined is the server's order, newest first. Pending requests begin with the oldest. */
export function shownOrder({
  sort,
  order,
  status,
}: RenewalSearch["params"]): Pick<ListRenewalsInput, "sort" | "order"> | undefined {
  if (sort !== undefined) return { sort, order };
  return status === "pending" ? { sort: "createdAt", order: "asc" } : undefined;
}
