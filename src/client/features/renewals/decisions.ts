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
    description: "已经收到付款，立即延长到期时间，10 分钟内可以撤销。",
  },
  {
    value: "rejected",
    label: "拒绝",
    description: "到期时间不变。必须填写备注说明原因。",
  },
] as const satisfies readonly { value: RenewalDecision; label: string; description: string }[];

type DecisionAct = {
  /** For several, with their number. Also what the button says. */
  title: string;
  titleOfOne: string;
  decision: RenewalDecision;
  consequence: string;
  /** The toast when all of them are done. */
  done: string;
};

export const DECISION_ACTS: Readonly<Record<RenewalAction, DecisionAct>> = {
  approve: {
    title: "批准",
    titleOfOne: "批准申请",
    decision: "approved",
    consequence: "到期时间暂不变化，收到付款后再标记完成。",
    done: "已批准，待付款",
  },
  reject: {
    title: "拒绝",
    titleOfOne: "拒绝申请",
    decision: "rejected",
    consequence: "到期时间不变，用户会看到原因。",
    done: "已拒绝",
  },
  complete: {
    title: "标记完成",
    titleOfOne: "标记完成",
    decision: "completed",
    consequence: "确认已收到付款：到期时间立即延长，10 分钟内可以撤销。",
    done: "已完成续费",
  },
  close: {
    title: "关闭",
    titleOfOne: "关闭申请",
    decision: "rejected",
    consequence: "关闭后申请变为已拒绝，到期时间不变，用户会看到原因。",
    done: "已关闭",
  },
};
