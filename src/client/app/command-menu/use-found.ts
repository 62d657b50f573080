import { MAX_SEARCH_LENGTH } from "@shared/page.ts";
import { hasPermission } from "@shared/roles.ts";
import { trpc } from "@/api/trpc";
import { useDebounced } from "@/lib/use-debounced";
import { useCurrentUser } from "@/session/session";

const PAUSE_MS = 200;

/**
 * The hosts and users that the server finds for what is typed. While somebody types there are
 * none (`search` is null): Enter would choose one of an earlier search.
 */
export function useFound(text: string, isOpen: boolean) {
  const { role } = useCurrentUser();
  const settled = useDebounced(text, PAUSE_MS);
  const isTyping = settled !== text;
  const isSearched = isOpen && !isTyping && text !== "" && text.length <= MAX_SEARCH_LENGTH;

  const hosts = trpc.hosts.list.useQuery({ search: settled, limit: 8 }, { enabled: isSearched });
  const users = trpc.users.list.useQuery(
    { search: settled, limit: 5 },
    { enabled: isSearched && hasPermission(role, "users:read") },
  );

  return {
    search: isSearched ? settled : null,
    hosts,
    users,
    isFailed: isSearched && (hosts.isError || users.isError),
    isLoading: isTyping || hosts.isFetching || users.isFetching,
  };
}
