import { MAX_PAGE_SIZE } from "@shared/page.ts";
import { trpc } from "@/trpc";

/** Of the own hosts, those that must wait, each with the id of the request it waits for: the server takes one pending request for each. */
export function useWaitingHosts(): ReadonlyMap<string, string> {
  const pending = trpc.renewals.list.useQuery({ status: "pending", limit: MAX_PAGE_SIZE });
  return new Map(pending.data?.requests.map(({ id, host }) => [host.id, id]));
}
