import type { Host } from "@shared/hosts.ts";
import { MAX_PAGE_SIZE, MAX_SEARCH_LENGTH } from "@shared/page.ts";
import { hasPermission } from "@shared/roles.ts";
import { trpc } from "@/api/trpc";
import { personSearch } from "@/lib/half-width";
import { useDebounced } from "@/lib/use-debounced";
import { useCurrentUser } from "@/session/session";

const PAUSE_MS = 200;
const SHOWN_HOSTS = 8;
/** A whole one also finds every address that begins with it: `10.0.0.1` is in `10.0.0.10`. */
const ADDRESS = /^\d+\.\d+\.\d+\.\d+$/;

/**
 * The hosts, tags and users that the server finds for what is typed. While somebody types there are
 * none (`search` is null): Enter would choose one of an earlier search.
 */
export function useFound(text: string, isOpen: boolean) {
  const { role } = useCurrentUser();
  const settled = useDebounced(text, PAUSE_MS);
  const isTyping = settled !== text;
  const isSearched = isOpen && !isTyping && text !== "" && text.length <= MAX_SEARCH_LENGTH;

  const hosts = trpc.hosts.list.useQuery(
    { search: settled, limit: ADDRESS.test(settled) ? MAX_PAGE_SIZE : SHOWN_HOSTS },
    { enabled: isSearched },
  );
  const users = trpc.users.list.useQuery(
    { search: personSearch(settled), sort: "name", limit: 5 },
    { enabled: isSearched && hasPermission(role, "users:read") },
  );
  const tags = trpc.hosts.tags.useQuery(undefined, {
    enabled: isSearched && hasPermission(role, "users:read"),
  });
  const queries = [hosts, tags, users];

  return {
    search: isSearched ? settled : null,
    hosts,
    shownHosts: hostsMeant(hosts.data?.hosts ?? [], settled),
    tags,
    users,
    isFailed: isSearched && queries.some(({ isError }) => isError),
    isLoading: isTyping || queries.some(({ isFetching }) => isFetching),
  };
}

/** Alone, where it was typed whole: the one with the address. */
function hostsMeant(hosts: readonly Host[], search: string): readonly Host[] {
  const exact = hosts.filter(({ ipSet }) => ipSet.some(({ IP }) => IP === search));
  return exact.length > 0 ? exact : hosts.slice(0, SHOWN_HOSTS);
}
