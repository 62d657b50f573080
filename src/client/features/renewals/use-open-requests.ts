import { MAX_PAGE_SIZE } from "@shared/page.ts";
import { trpc } from "@/api/trpc";

/** The own open requests: the id of each by its host's id. A host has at most one. */
export function useOpenRequests(): ReadonlyMap<string, string> {
  const pending = trpc.renewals.list.useQuery({ status: "pending", limit: MAX_PAGE_SIZE });
  const approved = trpc.renewals.list.useQuery({ status: "approved", limit: MAX_PAGE_SIZE });
  const open = [...(pending.data?.requests ?? []), ...(approved.data?.requests ?? [])];
  return new Map(open.map(({ id, host }) => [host.id, id]));
}
