import { formatNumber } from "@/lib/format-number";

/** What can be done to chosen hosts at once. */
export const BATCH_LABELS = {
  sync: "同步",
  assign: "分配",
  transfer: "转移",
  changeEnd: "修改到期日",
  unassign: "取消分配",
} as const;
export type BatchAct = keyof typeof BATCH_LABELS;

/** `分配 12 台主机`: what a dialog is called. */
export function batchTitle(act: BatchAct, count: number): string {
  const hosts = `${formatNumber(count)} 台主机`;
  return act === "changeEnd" ? `修改 ${hosts}的到期日` : `${BATCH_LABELS[act]} ${hosts}`;
}
