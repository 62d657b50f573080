import type { Host } from "@shared/hosts.ts";
import { type FocusEvent, useState } from "react";
import type { HostSearch } from "./host-search";

/**
 * Which host stands beside the list, where the address names none: the first of the list. A sync
 * adds rows above it at any moment, and what somebody reads, or acts on in a menu or a dialog, must
 * not give way to another host. So the first one is kept while the filters stay the same and it is
 * on the page; and as soon as a menu or dialog of it takes the focus, its id goes into the address,
 * where it stays even when the host leaves the list.
 */
export function useShownHost(hosts: readonly Host[], search: HostSearch, isStale: boolean) {
  const firstId = useKeptFirst(hosts, JSON.stringify(search.input), isStale);
  const shownId = search.params.host ?? firstId;

  /** For the focus within the details; menus and dialogs are drawn elsewhere in the document. */
  function keepInAddress({ target, currentTarget }: FocusEvent<HTMLElement>): void {
    const isOverPage = target instanceof Node && !currentTarget.contains(target);
    if (isOverPage && search.params.host === undefined) {
      search.setParams({ host: shownId }, { replace: true });
    }
  }

  return { shownId, keepInAddress };
}

function useKeptFirst(
  hosts: readonly Host[],
  filters: string,
  isStale: boolean,
): string | undefined {
  const firstId = hosts[0]?.id;
  const [kept, setKept] = useState({ id: firstId, filters });
  // A stale list still belongs to the filters of before.
  if (isStale) return kept.id;

  const isStillListed = kept.filters === filters && hosts.some(({ id }) => id === kept.id);
  const id = isStillListed ? kept.id : firstId;
  if (id !== kept.id || filters !== kept.filters) setKept({ id, filters });
  return id;
}
