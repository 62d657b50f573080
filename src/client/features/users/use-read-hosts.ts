import type { Host } from "@shared/hosts.ts";
import { trpc } from "@/api/trpc";
import { readAll } from "@/lib/read-pages";

/** Reads all hosts of a user, those that are gone at the provider among them. */
export function useReadHosts() {
  const { client } = trpc.useUtils();

  return (userId: string): Promise<Host[]> =>
    readAll(async (paging) => {
      const { hosts, pagination } = await client.hosts.list.query({ userId, ...paging });
      return { rows: hosts, pagination };
    });
}
