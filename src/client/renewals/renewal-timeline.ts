import { RENEWAL_STATUS_LABELS, type Renewal } from "@shared/renewals.ts";
import { Ban, CircleCheck, CircleDollarSign, CircleX, Clock, FilePlus2 } from "lucide-react";
import type { TimelineEntry } from "@/components/timeline";
import { formatDateTime } from "@/lib/format";
import { PROMISE } from "./waiting";

/** What has happened to a request and what is still to come. */
export function renewalTimeline(renewal: Renewal): TimelineEntry[] {
  return [submitted(renewal), ...since(renewal)];
}

function submitted({ user, createdAt, requestedDuration, remark }: Renewal): TimelineEntry {
  return {
    id: "submitted",
    title: `${user.name} 提交申请`,
    time: formatDateTime(createdAt),
    description: `申请续费 ${requestedDuration} 天${remark ? `：${remark}` : ""}`,
    icon: FilePlus2,
    tone: "accent",
  };
}

function since(renewal: Renewal): TimelineEntry[] {
  const { status, requestedDuration } = renewal;
  const decided = {
    id: status,
    ...(renewal.processedAt === null ? {} : { time: formatDateTime(renewal.processedAt) }),
    description: decisionNote(renewal),
  };
  switch (status) {
    case "pending":
      return [
        { id: "waiting", title: RENEWAL_STATUS_LABELS.pending, description: PROMISE, icon: Clock, isPending: true },
      ];
    case "approved":
      return [
        { ...decided, title: "已批准", icon: CircleCheck, tone: "info" },
        {
          id: "payment",
          title: "待付款",
          description: "收到付款并标记完成后，到期时间顺延",
          icon: CircleDollarSign,
          isPending: true,
        },
      ];
    case "completed":
      return [
        { ...decided, title: `已完成，到期时间已延长 ${requestedDuration} 天`, icon: CircleCheck, tone: "success" },
      ];
    case "rejected":
      return [{ ...decided, title: "已拒绝", icon: CircleX, tone: "danger" }];
    case "cancelled":
      return [{ ...decided, title: "已取消", icon: Ban }];
  }
}

/** `processedBy` is null for a client. */
function decisionNote({ processedBy, adminRemark }: Renewal): string {
  return [processedBy === null ? null : `处理人：${processedBy.name}`, adminRemark && `备注：${adminRemark}`]
    .filter(Boolean)
    .join("，");
}
