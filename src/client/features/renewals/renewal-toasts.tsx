import type { Renewal } from "@shared/renewals.ts";
import { isClient, type Role } from "@shared/roles.ts";
import { useLocation } from "wouter";
import { useLiveEvent } from "@/api/live-updates";
import { trpc } from "@/api/trpc";
import { hostTitle } from "@/features/hosts/host-display";
import { formatDate } from "@/lib/format";
import { notify } from "@/lib/notify";
import { useCurrentUser } from "@/session/session";

type RenewalEvent = "renewal.created" | "renewal.processed" | "renewal.cancelled";
type News = { tone: "info" | "success" | "warning"; title: string; message: string };

/** Shows a toast for what others did with a request, on any page. Renders nothing. */
export function RenewalToasts() {
  const { id: ownId, role } = useCurrentUser();
  const [, navigate] = useLocation();
  const utils = trpc.useUtils();

  async function showToast(event: RenewalEvent, id: string): Promise<void> {
    // The event carries the id only; a request that is no longer in scope gets no toast.
    const renewal = await utils.renewals.get.fetch({ id }, { staleTime: 0 }).catch(() => null);
    if (renewal === null || renewal.processedBy?.id === ownId) return;
    const news = isClient(role) ? newsForClient(renewal) : newsForAdmins(event, renewal);
    if (news === null) return;
    notify[news.tone](news.title, {
      message: news.message,
      // A repeated event replaces its own toast.
      id: `${event}:${id}`,
      ...(event === "renewal.cancelled"
        ? {}
        : { action: { label: "查看", onClick: () => navigate(renewalPath(role, id)) } }),
    });
  }

  useLiveEvent(({ type, data }) => {
    // A client sees in its form that the request was made.
    if (type === "renewal.created" && isClient(role)) return;
    if (type === "renewal.created" || type === "renewal.processed" || type === "renewal.cancelled") {
      void showToast(type, data.id);
    }
  });
  return null;
}

export function renewalPath(role: Role, id: string): string {
  const lists = { super_admin: "/renewals", admin: "/admin/renewals", client: "/client/renewals" } as const;
  return `${lists[role]}?renewal=${id}`;
}

function newsForAdmins(event: RenewalEvent, { user, host, requestedDuration, processedBy }: Renewal): News {
  const name = hostTitle(host);
  switch (event) {
    case "renewal.created":
      return {
        tone: "info",
        title: "新的续费申请",
        message: `“${user.name}”申请将“${name}”续费 ${requestedDuration} 天`,
      };
    case "renewal.processed": {
      const message = `“${processedBy?.name ?? "超级管理员"}”处理了“${user.name}”对“${name}”的申请`;
      return { tone: "info", title: "续费申请已处理", message };
    }
    case "renewal.cancelled":
      return { tone: "info", title: "续费申请已取消", message: `“${user.name}”对“${name}”的申请` };
  }
}

function newsForClient({ host, status, requestedDuration, adminRemark, assignedExpireTime }: Renewal): News | null {
  const name = hostTitle(host);
  const remark = adminRemark ? `：${adminRemark}` : "";
  if (status === "rejected") return { tone: "warning", title: "续费申请被拒绝", message: `${name}${remark}` };
  if (status === "approved") {
    const message = `“${name}”续费 ${requestedDuration} 天，待付款${remark}`;
    return { tone: "success", title: "续费申请已批准", message };
  }
  if (status === "completed") {
    const message = `“${name}”的到期时间延长到 ${formatDate(assignedExpireTime)}`;
    return { tone: "success", title: "续费已完成", message };
  }
  return status === "cancelled" ? { tone: "success", title: "续费申请已取消", message: name } : null;
}
