import { RENEWAL_STATUS_LABELS } from "@shared/renewal-status.ts";
import type { Renewal } from "@shared/renewals.ts";
import { isClient, type Role } from "@shared/roles.ts";
import { useLocation } from "wouter";
import { useLiveEvent } from "@/api/live-updates";
import { trpc } from "@/api/trpc";
import { hostTitle } from "@/components/hosts/host-facts";
import { renewalPath } from "@/components/renewals/renewal-path";
import { formatDate } from "@/lib/format";
import { notify } from "@/lib/notify";
import { useCurrentUser } from "@/session/session";
import { undoneToastId } from "./undone-toast-id";

type RenewalEvent = keyof typeof TITLES;

const TITLES = {
  "renewal.created": "新的续费申请",
  "renewal.processed": "续费申请已处理",
  "renewal.cancelled": "续费申请已取消",
} as const;
const TONES = {
  rejected: "warning",
  approved: "success",
  completed: "success",
  pending: "info",
  cancelled: "info",
} as const;

/** Shows a toast for what others did with a request, on any page. Renders nothing. */
export function RenewalToasts() {
  const { id: ownId, role } = useCurrentUser();
  const [, navigate] = useLocation();
  const utils = trpc.useUtils();

  async function showToast(event: RenewalEvent, id: string): Promise<void> {
    // The event carries the id only; a request that is no longer in scope gets no toast.
    const renewal = await utils.renewals.get.fetch({ id }, { staleTime: 0 }).catch(() => null);
    if (renewal === null || renewal.processedBy?.id === ownId) return;
    const isUndone = event === "renewal.processed" && renewal.status === "pending";
    const news = {
      message: newsText(role, renewal),
      action: { label: "查看", onClick: () => navigate(renewalPath(role, id)) },
    };
    if (isUndone) {
      notify.dismiss(`renewal.processed:${id}`);
      // The request does not say who undid its decision: that person has a toast of this id.
      notify.info("续费处理已撤销", { ...news, id: undoneToastId(id), isSecondary: true });
      return;
    }

    // A repeated event replaces its own toast.
    notify[TONES[renewal.status]](TITLES[event], { ...news, id: `${event}:${id}` });
  }

  useLiveEvent(({ type, data }) => {
    // A client sees in its form that the request was made.
    if (type === "renewal.created" && isClient(role)) return;
    if (
      type === "renewal.created" ||
      type === "renewal.processed" ||
      type === "renewal.cancelled"
    ) {
      void showToast(type, data.id);
    }
  });
  return null;
}

/**
 * `“张客户”申请将“web-01”续费 30 天：已批准（待付款），备注：请转账`. To a client without the own
 * name.
 */
function newsText(role: Role, renewal: Renewal): string {
  const { user, host, requestedDuration, status, adminRemark, assignedExpireTime } = renewal;
  const subject = isClient(role) ? "" : `“${user.name}”申请将`;
  const end = status === "completed" ? `，到期时间延长到 ${formatDate(assignedExpireTime)}` : "";
  const remark = adminRemark ? `，备注：${adminRemark}` : "";
  return `${subject}“${hostTitle(host)}”续费 ${requestedDuration} 天：${RENEWAL_STATUS_LABELS[status]}${end}${remark}`;
}
