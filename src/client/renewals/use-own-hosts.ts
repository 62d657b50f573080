import { keepPreviousData } from "@tanstack/react-query";
import { trpc } from "@/trpc";

const SELECTOR_LENGTH = 100;

/** The caller's own hosts as a selector has them, all of them without a search. */
export function useOwnHosts(search: string, { enabled }: { enabled: boolean }) {
  return trpc.hosts.list.useQuery(
    { limit: SELECTOR_LENGTH, ...(search === "" ? {} : { search }) },
    { placeholderData: keepPreviousData, enabled },
  );
}
