import type { Renewal } from "@shared/renewals.ts";
import { hostTitle } from "@/hosts/host-tab";
import { formatDate } from "@/lib/format";
import { NEWS_POSITION, notify } from "@/lib/notify";

type OpenRenewal = (id: string) => void;

/** To those who look after clients. Ids make a repeated event replace its own toast. */
export function announceCreated({ id, user, host, requestedDuration }: Renewal, onOpen: OpenRenewal): void {
  notify.info("新的续费申请", {
    id: `renewal-created:${id}`,
    position: NEWS_POSITION,
    message: `${user.name} 申请将 ${hostTitle(host)} 续费 ${requestedDuration} 天`,
    action: { label: "查看", onClick: () => onOpen(id) },
  });
}

/** To the client whose request it was. */
export function announceDecision(renewal: Renewal, onOpen: OpenRenewal): void {
  const { id, host, status, requestedDuration, adminRemark, assignedExpireTime } = renewal;
  const options = {
    id: `renewal-processed:${id}`,
    position: NEWS_POSITION,
    action: { label: "查看", onClick: () => onOpen(id) },
  };
  const remark = adminRemark ? `：${excerpt(adminRemark)}` : "";
  switch (status) {
    case "approved":
      notify.success("续费申请已批准", {
        ...options,
        message: `${hostTitle(host)} 续费 ${requestedDuration} 天，待付款${remark}`,
      });
      return;
    case "completed":
      notify.success("续费已完成", {
        ...options,
        message: `${hostTitle(host)} 的到期时间延长到 ${formatDate(assignedExpireTime)}`,
      });
      return;
    case "rejected":
      notify.warning("续费申请被拒绝", { ...options, message: `${hostTitle(host)}${remark}` });
      return;
    case "pending":
    case "cancelled":
      return;
  }
}

/** To those who look after clients, of what somebody else has decided. */
export function announceProcessed(renewal: Renewal, onOpen: OpenRenewal): void {
  const { id, user, host, processedBy } = renewal;
  notify.info("续费申请已处理", {
    id: `renewal-processed:${id}`,
    position: NEWS_POSITION,
    message: `${processedBy?.name ?? "超级管理员"} 处理了 ${user.name} 对 ${hostTitle(host)} 的申请`,
    action: { label: "查看", onClick: () => onOpen(id) },
  });
}

/** The same toast from the own click and from the event that follows it. */
export function announceCancelled({ id, host }: Renewal): void {
  notify.success("续费申请已取消", { id: `renewal-cancelled:${id}`, message: hostTitle(host) });
}

export function announceWithdrawn({ id, user, host }: Renewal): void {
  notify.info("续费申请已取消", {
    id: `renewal-cancelled:${id}`,
    position: NEWS_POSITION,
    message: `${user.name} 对 ${hostTitle(host)} 的申请`,
  });
}

/** A toast is gone before more could be read, and on a phone it would cover the page; all of it is behind 查看. */
const EXCERPT_LENGTH = 60;

function excerpt(remark: string): string {
  const points = Array.from(remark);
  return points.length <= EXCERPT_LENGTH ? remark : `${points.slice(0, EXCERPT_LENGTH).join("")}…`;
}
