import { Id } from "@shared/ids.ts";
import { SortOrder } from "@shared/page.ts";
import { RenewalStatus } from "@shared/renewal-status.ts";
import { type ListRenewalsInput, RenewalSort } from "@shared/renewals.ts";
import { z } from "zod";
import { listSearch, SearchParam } from "@/lib/list-search";

export const StatusFilter = z.enum(["all", ...RenewalStatus.options]);
export type StatusFilter = z.infer<typeof StatusFilter>;

const urlOnly = {
  sort: RenewalSort.optional().catch(undefined),
  order: SortOrder.catch("asc"),
  /** The request whose details are open. */
  renewal: Id.optional().catch(undefined),
};

/** Who decides requests begins with those that wait. */
export const useWaitingSearch = listSearch({
  input: { search: SearchParam, status: StatusFilter.catch("pending") },
  urlOnly,
});
export const useOwnSearch = listSearch({
  input: { search: SearchParam, status: StatusFilter.catch("all") },
  urlOnly,
});

export type RenewalSearch = ReturnType<typeof useWaitingSearch>;

export function listInput({ input, params }: RenewalSearch) {
  const status = input.status === "all" ? undefined : input.status;
  return { ...input, ...shownOrder(params), status };
}

/** Undefined is the server's order, newest first. Requests that wait begin with the oldest. */
export function shownOrder({
  sort,
  order,
  status,
}: RenewalSearch["params"]): Pick<ListRenewalsInput, "sort" | "order"> | undefined {
  if (sort !== undefined) return { sort, order };
  return isWaiting(status) ? { sort: "createdAt", order: "asc" } : undefined;
}

/** Whether somebody is to act on all of these requests: for a decision or for a payment. */
export function isWaiting(status: StatusFilter): boolean {
  return status === "pending" || status === "approved";
}
