import { formatNumber } from "@/lib/format-number";

/** What can be done to chosen hosts at once. */
export const BATCH_LABELS = {
  sync: "同步",
  assign: "分配",
  transfer: "转移",
  changeEnd: "修改到期日",
  unassign: "取消分配",
  remind: "提醒客户",
  tag: "修改标签",
} as const;
export type BatchAct = keyof typeof BATCH_LABELS;

/** `分配 12 台主机`: what a dialog is called. */
export function batchTitle(act: BatchAct, count: number): string {
  const hosts = `${formatNumber(count)} 台主机`;
  if (act === "changeEnd") return `修改 ${hosts}的到期日`;
  if (act === "remind") return `提醒 ${hosts}的客户`;
  if (act === "tag") return `修改 ${hosts}的标签`;
  return `${BATCH_LABELS[act]} ${hosts}`;
}

/** Where hosts can be chosen for an act that began elsewhere, as from a notice. */
export const HOST_TABLE = "/hosts?view=table";
