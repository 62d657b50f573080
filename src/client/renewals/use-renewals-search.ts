import { Id } from "@shared/ids.ts";
import { type ListRenewalsInput, RenewalStatus } from "@shared/renewals.ts";
import { z } from "zod";
import { useSearchParams } from "@/lib/use-search-params";

/** The address of both pages; `renewal` is the request whose details are open. */
const RenewalsSearch = z.object({
  search: z.string().max(100).catch(""),
  status: RenewalStatus.optional().catch(undefined),
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

export function searchInput(search: string): Pick<ListRenewalsInput, "search"> {
  const text = search.trim();
  return text === "" ? {} : { search: text };
}
