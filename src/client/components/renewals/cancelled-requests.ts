import { MAX_PAGE_SIZE } from "@shared/page.ts";
import type { Renewal } from "@shared/renewals.ts";
import { trpc } from "@/api/trpc";
import type { Holder } from "@/components/assignments/holders";
import { hostTitle } from "@/components/hosts/host-facts";
import { openRenewalText } from "@/components/hosts/open-renewal";

const NAMED = 5;

/** Clients who lose hosts, and which. */
type ClientHosts = readonly Pick<Holder, "user" | "hosts">[];

/**
 * The open requests that end with assignments, by name: `将取消 1 个申请：物流跟踪-db-93（待付款）`.
 * Says that there may be some while that is being read, and where they are too many to be read.
 */
export function useCancelledRequests(clients: ClientHosts, { enabled = true } = {}): string {
  const requests = useOpenRequestsOf(clients, enabled);
  if (requests === undefined) return "未完成的续费申请一并取消";
  if (requests.length === 0) return "没有未完成的续费申请";

  const named = requests.slice(0, NAMED).map((request) => {
    const user = clients.length > 1 ? `${request.user.name} 的 ` : "";
    return `${user}${hostTitle(request.host)}（${openRenewalText(request)}）`;
  });
  const more = requests.length > NAMED ? " 等" : "";
  return `将取消 ${requests.length} 个申请：${named.join("、")}${more}`;
}

function useOpenRequestsOf(clients: ClientHosts, enabled: boolean): readonly Renewal[] | undefined {
  const isAsked = enabled && clients.length > 0;
  const user = clients.length === 1 ? { userId: clients[0]?.user.id } : {};
  const input = { ...user, limit: MAX_PAGE_SIZE };
  const pending = trpc.renewals.list.useQuery(
    { ...input, status: "pending" },
    { enabled: isAsked },
  ).data;
  const approved = trpc.renewals.list.useQuery(
    { ...input, status: "approved" },
    { enabled: isAsked },
  ).data;
  if (!isAsked || pending === undefined || approved === undefined) return undefined;

  const open = [...approved.requests, ...pending.requests];
  if (open.length < approved.pagination.total + pending.pagination.total) return undefined;

  return open.filter(({ user, host }) =>
    clients.some(
      (client) => client.user.id === user.id && client.hosts.some(({ id }) => id === host.id),
    ),
  );
}
