import type { SyncRun } from "@shared/sync.ts";
import { NEWS_POSITION, notify } from "@/lib/notify";
import { countsSentence, endSentence, missingHostsSentence } from "./run-facts";

/** The toast at the end of a run; a repeated event replaces its own toast. */
export function announceEnd(run: SyncRun, onDetails: () => void): void {
  const options = {
    id: `sync-${run.id}`,
    position: NEWS_POSITION,
    action: { label: "查看详情", onClick: onDetails },
  };
  const result = `${run.configName}：${countsSentence(run)}`;
  switch (run.status) {
    case "succeeded":
      return void notify.success("同步完成", { ...options, message: result });
    case "partial":
      return void notify.warning("同步部分完成", {
        ...options,
        message: `${run.configName}：${firstSentence(missingHostsSentence(run)) ?? countsSentence(run)}`,
      });
    case "failed":
      return void notify.error("同步失败", {
        ...options,
        message: `${run.configName}：${run.errors[0]?.message ?? endSentence(run)}`,
      });
    case "cancelled":
      return void notify.info("同步已取消", { ...options, message: result });
    case "interrupted":
      return void notify.warning("同步已中断", {
        ...options,
        message: `${run.configName}：服务重启或失去响应，请重新同步`,
      });
    case "queued":
    case "running":
      return;
  }
}

/** What to do about it is in the details, which stay. */
function firstSentence(text: string | null): string | null {
  return text?.split("。")[0] ?? null;
}
