import { Id } from "@shared/ids.ts";
import { SortOrder } from "@shared/page.ts";
import { UserRole, UserSort } from "@shared/users.ts";
import { keepPreviousData } from "@tanstack/react-query";
import { z } from "zod";
import { trpc } from "@/api/trpc";
import { personSearch } from "@/lib/half-width";
import { listSearch, SearchParam } from "@/lib/list-search";

/** The address of the page: whom it lists, in which order. */
export const useUserSearch = listSearch({
  input: {
    search: SearchParam,
    role: UserRole.optional().catch(undefined),
    state: z.enum(["active", "disabled"]).optional().catch(undefined),
    adminId: Id.optional().catch(undefined),
    sort: UserSort.catch("name"),
    order: SortOrder.catch("asc"),
  },
  urlOnly: {},
});

export type UserSearch = ReturnType<typeof useUserSearch>;

/** What the list is asked for. */
export function userListInput({ input: { state, search, ...input } }: UserSearch) {
  const isActive = state === undefined ? undefined : state === "active";
  return { ...input, isActive, search: personSearch(search) };
}

/** The page of users that the address names. */
export function useUserList(search: UserSearch) {
  return trpc.users.list.useQuery(userListInput(search), { placeholderData: keepPreviousData });
}
