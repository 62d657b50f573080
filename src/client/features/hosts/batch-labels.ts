import type { BatchHostsInput } from "@shared/batch.ts";

export type BatchOperation = BatchHostsInput["operation"];

export const BATCH_LABELS: Readonly<Record<BatchOperation, string>> = {
  sync: "同步",
  assign: "分配",
  unassign: "取消分配",
  transfer: "转移",
};
