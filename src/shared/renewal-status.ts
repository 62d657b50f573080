import type { z } from "zod";
import { labelledEnum } from "./text.ts";

export const RENEWAL_STATUS_LABELS = {
  pending: "待处理",
  approved: "已批准（待付款）",
  rejected: "已拒绝",
  completed: "已完成",
  cancelled: "已取消",
} as const;
export const RenewalStatus = labelledEnum("RenewalStatus", "申请状态", RENEWAL_STATUS_LABELS);
export type RenewalStatus = z.infer<typeof RenewalStatus>;

/**
 * A request is open while it is still to be decided or paid. A client has at most one for a host.
 */
export const OPEN_RENEWAL_STATUSES = [
  "pending",
  "approved",
] as const satisfies readonly RenewalStatus[];

export function isOpenRenewal({ status }: { readonly status: RenewalStatus }): boolean {
  return OPEN_RENEWAL_STATUSES.some((open) => open === status);
}
