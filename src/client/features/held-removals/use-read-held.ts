import type { HeldHost } from "@shared/held-hosts.ts";
import { MAX_PAGE_SIZE } from "@shared/page.ts";
import { trpc } from "@/api/trpc";

/** Reads all hosts that wait for a decision. */
export function useReadHeld() {
  const { client } = trpc.useUtils();

  return async (): Promise<HeldHost[]> => {
    const held: HeldHost[] = [];
    for (let page = 1; ; page++) {
      const list = await client.hosts.heldRemovals.query({ limit: MAX_PAGE_SIZE, page });
      held.push(...list.hosts);
      if (page >= list.pagination.totalPages) return held;
    }
  };
}
