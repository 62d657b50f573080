/** What can be done to chosen hosts at once. */
export const BATCH_LABELS = {
  sync: "同步",
  assign: "分配",
  transfer: "转移",
  changeEnd: "修改到期日",
  unassign: "取消分配",
} as const;
export type BatchAct = keyof typeof BATCH_LABELS;
