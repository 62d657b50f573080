import type { Host } from "@shared/hosts.ts";
import { MAX_PAGE_SIZE } from "@shared/page.ts";
import type { Renewal } from "@shared/renewals.ts";
import { extendedExpiry } from "@shared/time.ts";
import { trpc } from "@/api/trpc";

/** Still to be decided or paid. */
export function isOpen({ status }: Renewal): boolean {
  return status === "pending" || status === "approved";
}

/** The client's expiry with the extension; null once the request is closed. */
export function expiryAfter(renewal: Renewal, now: number): number | null {
  return isOpen(renewal) ? extendedExpiry(renewal.assignedExpireTime, renewal.requestedDuration, now) : null;
}

/** The own pending requests: the id of each by its host's id. A host has at most one. */
export function usePendingRequests(): ReadonlyMap<string, string> {
  const pending = trpc.renewals.list.useQuery({ status: "pending", limit: MAX_PAGE_SIZE });
  return new Map(pending.data?.requests.map(({ id, host }) => [host.id, id]));
}

/** Says why an own host cannot be renewed; null when it can. */
export function useRenewalObstacle(): (host: Pick<Host, "id" | "goneAt">) => string | null {
  const pending = usePendingRequests();
  return ({ id, goneAt }) => {
    if (goneAt !== null) return "在云服务商处已不存在";
    return pending.has(id) ? "已有待处理的续费申请" : null;
  };
}
