import type { SyncRun } from "@shared/sync.ts";
import { RefreshCw } from "lucide-react";
import { useLiveEvent } from "@/api/live-updates";
import { overallProgress, resultText } from "@/components/sync/run-summary";
import { useSyncRuns } from "@/components/sync/use-sync";
import { Progress } from "@/components/ui/progress";
import { Tooltip } from "@/components/ui/tooltip";
import { formatPercent } from "@/lib/format";
import { lazyDialog } from "@/lib/lazy";
import { notify } from "@/lib/notify";
import { useCurrentUser } from "@/session/session";
import { useSyncPanel } from "./use-sync-panel";

const SyncPanel = lazyDialog(() => import("./sync-panel").then((m) => m.SyncPanel));

/**
 * In a super admin's top bar: progress of live runs, the panel, and a toast when a run that this
 * user started fails.
 */
export function SyncIndicator() {
  const user = useCurrentUser();
  const { live, recent } = useSyncRuns();
  const { isOpen, show, close } = useSyncPanel();
  useLiveEvent(({ type, data: run }) => {
    if (type !== "sync.finished") return;
    if (run.trigger === "manual" && run.requestedBy?.id === user.id) {
      toastEnd(run, () => show(run.id));
    }
  });

  return (
    <>
      <Tooltip content={live.length > 0 ? "查看同步进度" : "同步记录"} side="bottom">
        <button
          type="button"
          onClick={() => show()}
          className="flex h-8.5 shrink-0 items-center gap-2 rounded-md px-2.5 text-sm font-medium text-muted-foreground hover:bg-accent hover:text-foreground"
        >
          <RefreshCw className={live.length > 0 ? "size-4 animate-spin" : "size-4"} />
          <span className="sr-only">{live.length > 0 ? "查看同步进度" : "打开同步面板"}</span>
          {live.length > 0 ? <LiveProgress live={live} recent={recent} /> : null}
        </button>
      </Tooltip>
      <SyncPanel open={isOpen} onOpenChange={(open) => (open ? show() : close())} />
    </>
  );
}

function LiveProgress({ live, recent }: { live: readonly SyncRun[]; recent: readonly SyncRun[] }) {
  const progress = overallProgress(live, recent);
  return (
    <>
      <span className="hidden w-20 sm:block">
        <Progress value={progress} size="sm" label="同步总进度" />
      </span>
      <span className="min-w-8 text-right tabular-nums">
        {progress === null ? "同步中" : formatPercent(Math.min(progress, 0.99))}
      </span>
    </>
  );
}

const END_TOASTS = {
  partial: { type: "warning", title: "同步部分完成" },
  failed: { type: "error", title: "同步失败" },
  interrupted: { type: "warning", title: "同步已中断" },
} as const;

/**
 * The toast at the end of a run that did not read everything; a repeated event replaces its own
 * toast. Of the others the top bar and the panel say enough.
 */
function toastEnd(run: SyncRun, onDetails: () => void): void {
  const { status } = run;
  if (status !== "partial" && status !== "failed" && status !== "interrupted") return;

  const { type, title } = END_TOASTS[status];
  const [firstPart] = resultText(run).split("。");
  notify[type](title, {
    id: `sync-${run.id}`,
    message: `${run.configName} · ${firstPart}`,
    action: { label: "查看详情", onClick: onDetails },
  });
}
