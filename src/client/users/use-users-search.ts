import { Role } from "@shared/roles.ts";
import type { ListUsersInput } from "@shared/users.ts";
import { z } from "zod";
import { useSearchParams } from "@/lib/use-search-params";

/** The address of the page. */
const UsersSearch = z.object({
  search: z.string().max(100).catch(""),
  role: Role.optional().catch(undefined),
  page: z.coerce.number().int().min(1).max(1_000_000).catch(1),
});
export type UsersSearch = z.output<typeof UsersSearch>;

export const NO_FILTERS = { search: "", role: undefined } as const satisfies Partial<UsersSearch>;

export function useUsersSearch() {
  return useSearchParams(UsersSearch);
}

export type UsersSearchState = ReturnType<typeof useUsersSearch>;

export function isNarrowed({ search, role }: UsersSearch): boolean {
  return search !== "" || role !== undefined;
}

export function usersListInput({ search, role, page }: UsersSearch): Partial<ListUsersInput> {
  const text = search.trim();
  return { page, ...(text === "" ? {} : { search: text }), ...(role === undefined ? {} : { role }) };
}
