import type { Host } from "@shared/hosts.ts";
import { MAX_PAGE_SIZE } from "@shared/page.ts";
import { trpc } from "@/api/trpc";

/** Reads all hosts of a user, those that are gone at the provider among them. */
export function useReadHosts() {
  const { client } = trpc.useUtils();

  return async (userId: string): Promise<Host[]> => {
    const hosts: Host[] = [];
    for (let page = 1; ; page++) {
      const list = await client.hosts.list.query({ userId, limit: MAX_PAGE_SIZE, page });
      hosts.push(...list.hosts);
      if (page >= list.pagination.totalPages) return hosts;
    }
  };
}
