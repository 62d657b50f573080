import type { RenewalDecision } from "@shared/renewals.ts";

/**
 * What the super admin may do with an open request. Both `reject` and `close` lead to a rejection:
 * the one is for pending requests, the other for approved ones that were not paid for.
 */
export type RenewalAction = "approve" | "reject" | "complete" | "close";

/** The choices for a pending request. */
export const DECISIONS = [
  {
    value: "approved",
    label: "批准",
    description: "待付款，到期时间暂不变化。收到付款后，再标记完成。",
  },
  {
    value: "completed",
    label: "标记完成",
    description: "已经收到付款，立即延长到期时间，不能撤销。",
  },
  {
    value: "rejected",
    label: "拒绝",
    description: "到期时间不变。必须填写备注说明原因。",
  },
] as const satisfies readonly { value: RenewalDecision; label: string; description: string }[];
