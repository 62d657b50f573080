import type { Renewal } from "@shared/renewals.ts";
import { isClient, type Role } from "@shared/roles.ts";
import { useLocation } from "wouter";
import { useLiveEvent } from "@/api/live-updates";
import { trpc } from "@/api/trpc";
import { hostTitle } from "@/features/hosts/host-display";
import { formatDate } from "@/lib/format";
import { LIVE_TOAST_POSITION, type NotifyOptions, notify } from "@/lib/notify";
import { useCurrentUser } from "@/session/session";

/** Shows a toast for every request that is made, decided or cancelled, on any page. Renders nothing. */
export function RenewalToasts() {
  const { id: ownId, role } = useCurrentUser();
  const [, navigate] = useLocation();
  const utils = trpc.useUtils();
  const isOwner = isClient(role);
  /** The event carries the id only; a request that is no longer in scope gets no toast. */
  const withRenewal = (id: string, show: (renewal: Renewal, options: NotifyOptions) => void) =>
    void utils.renewals.get.fetch({ id }, { staleTime: 0 }).then(
      (renewal) =>
        show(renewal, {
          position: LIVE_TOAST_POSITION,
          action: { label: "查看", onClick: () => navigate(renewalPath(role, id)) },
        }),
      () => undefined,
    );

  useLiveEvent((event) => {
    // The client's own form has told of a new one.
    if (event.type === "renewal.created" && !isOwner) withRenewal(event.data.id, notifyCreated);
    if (event.type === "renewal.cancelled") withRenewal(event.data.id, isOwner ? notifyCancelled : notifyWithdrawn);
    if (event.type !== "renewal.processed") return;
    withRenewal(event.data.id, (renewal, options) => {
      if (isOwner) notifyDecision(renewal, options);
      else if (renewal.processedBy?.id !== ownId) notifyProcessed(renewal, options);
    });
  });
  return null;
}

/** Where this role sees a request with its details. */
export function renewalPath(role: Role, id: string): string {
  const lists = { super_admin: "/renewals", admin: "/admin/renewals", client: "/client/renewals" } as const;
  return `${lists[role]}?renewal=${id}`;
}

/** To the operators. A repeated event replaces its own toast, by the id. */
function notifyCreated({ id, user, host, requestedDuration }: Renewal, options: NotifyOptions): void {
  const message = `${user.name} 申请将 ${hostTitle(host)} 续费 ${requestedDuration} 天`;
  notify.info("新的续费申请", { ...options, id: `renewal-created:${id}`, message });
}

/** To the operators, of another's decision. */
function notifyProcessed({ id, user, host, processedBy }: Renewal, options: NotifyOptions): void {
  const message = `${processedBy?.name ?? "超级管理员"} 处理了 ${user.name} 对 ${hostTitle(host)} 的申请`;
  notify.info("续费申请已处理", { ...options, id: `renewal-processed:${id}`, message });
}

/** To the client whose request it was. */
function notifyDecision(renewal: Renewal, given: NotifyOptions): void {
  const { id, host, status, requestedDuration, adminRemark, assignedExpireTime } = renewal;
  const options = { ...given, id: `renewal-processed:${id}` };
  const name = hostTitle(host);
  const remark = adminRemark ? `：${excerpt(adminRemark)}` : "";
  if (status === "approved") {
    notify.success("续费申请已批准", { ...options, message: `${name} 续费 ${requestedDuration} 天，待付款${remark}` });
  } else if (status === "completed") {
    notify.success("续费已完成", { ...options, message: `${name} 的到期时间延长到 ${formatDate(assignedExpireTime)}` });
  } else if (status === "rejected") {
    notify.warning("续费申请被拒绝", { ...options, message: `${name}${remark}` });
  }
}

/** To the client; the click and the event that follows it make one toast. */
export function notifyCancelled({ id, host }: Renewal): void {
  notify.success("续费申请已取消", { id: `renewal-cancelled:${id}`, message: hostTitle(host) });
}

function notifyWithdrawn({ id, user, host }: Renewal): void {
  const message = `${user.name} 对 ${hostTitle(host)} 的申请`;
  notify.info("续费申请已取消", { position: LIVE_TOAST_POSITION, id: `renewal-cancelled:${id}`, message });
}

const EXCERPT_LENGTH = 60;

/** A longer one would cover a phone; 查看 leads to all of it. */
function excerpt(remark: string): string {
  const points = Array.from(remark);
  return points.length <= EXCERPT_LENGTH ? remark : `${points.slice(0, EXCERPT_LENGTH).join("")}…`;
}
