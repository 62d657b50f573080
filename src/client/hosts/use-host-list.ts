import type { HostList, ListHostsInput } from "@shared/hosts.ts";
import { MAX_PAGE_SIZE } from "@shared/page.ts";
import { isSuperAdmin, type Role } from "@shared/roles.ts";
import { keepPreviousData } from "@tanstack/react-query";
import { trpc } from "@/api/trpc";
import { AGEING_MS } from "@/lib/ageing";
import { useNow } from "@/lib/use-now";
import { hasEndFilter, pageByEnd } from "./ends-filter";
import { hostListInput } from "./host-list-input";
import type { HostsSearch } from "./use-hosts-search";

/** The page of hosts that the address asks for. By their end the server finds them for a super admin; the others have few, and theirs are looked through here. */
export function useHostList(role: Role, search: HostsSearch) {
  const now = useNow();
  const isSievedHere = !isSuperAdmin(role) && hasEndFilter(search);
  const input = hostListInput(role, search);
  const page = trpc.hosts.list.useQuery(input, {
    placeholderData: keepPreviousData,
    enabled: !isSievedHere,
    refetchInterval: hasEndFilter(search) && AGEING_MS,
  });
  const all = useWholeList(input, isSievedHere);
  if (!isSievedHere) return page;
  return {
    ...all,
    data:
      all.lists &&
      pageByEnd(
        all.lists.flatMap(({ hosts }) => hosts),
        role,
        search,
        now,
      ),
  };
}

/** Every page of the list. The first one tells how many there are. */
function useWholeList({ page: _, ...filters }: Partial<ListHostsInput>, enabled: boolean) {
  const input = { ...filters, limit: MAX_PAGE_SIZE };
  const options = { enabled, placeholderData: keepPreviousData };
  const first = trpc.hosts.list.useQuery({ ...input, page: 1 }, options);
  const count = enabled ? (first.data?.pagination.totalPages ?? 1) : 1;
  const rest = trpc.useQueries((t) =>
    Array.from({ length: Math.max(0, count - 1) }, (_, index) =>
      t.hosts.list({ ...input, page: index + 2 }, { enabled }),
    ),
  );
  const queries = [first, ...rest];
  const lists = queries.map(({ data }) => data).filter((data): data is HostList => data !== undefined);
  const failed = queries.find(({ isError }) => isError);
  return {
    lists: lists.length === queries.length ? lists : undefined,
    isError: failed !== undefined,
    error: failed?.error ?? null,
    isFetching: queries.some(({ isFetching }) => isFetching),
    isPlaceholderData: first.isPlaceholderData,
    refetch: () => Promise.all(queries.map((query) => query.refetch())),
  };
}
