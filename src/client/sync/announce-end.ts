import type { SyncRun } from "@shared/sync.ts";
import { NEWS_POSITION, notify } from "@/lib/notify";
import { resultSentence } from "./run-facts";

/** The toast at the end of a run; a repeated event replaces its own toast. */
export function announceEnd(run: SyncRun, onDetails: () => void): void {
  const options = {
    id: `sync-${run.id}`,
    position: NEWS_POSITION,
    message: `${run.configName}：${firstSentence(resultSentence(run))}`,
    action: { label: "查看详情", onClick: onDetails },
  };
  switch (run.status) {
    case "succeeded":
      return void notify.success("同步完成", options);
    case "partial":
      return void notify.warning("同步部分完成", options);
    case "failed":
      return void notify.error("同步失败", options);
    case "cancelled":
      return void notify.info("同步已取消", options);
    case "interrupted":
      return void notify.warning("同步已中断", options);
    case "queued":
    case "running":
      return;
  }
}

/** What to do about it is in the details, which stay. */
function firstSentence(text: string): string {
  return text.split("。")[0] ?? text;
}
