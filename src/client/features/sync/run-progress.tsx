import { isLiveSync, type SyncRun } from "@shared/sync.ts";
import { Progress } from "@/components/ui/progress";
import { formatDuration, formatPercent } from "@/lib/format";
import { formatNumber } from "@/lib/format-number";
import { useNow } from "@/lib/use-now";
import { isUnanswered, runProgress, SYNC_STATUS_TONES } from "./run-summary";
import { useSyncRuns } from "./use-sync";

/** Without an answer of the provider, before the text says so. */
const WAITING_SECONDS = 5;

export function RunBar({ run, size = "md" }: { run: SyncRun; size?: "xs" | "sm" | "md" }) {
  const progress = runProgress(run, useSyncRuns().recent);
  const text = useProgressText(run);
  return (
    <Progress
      value={run.status === "queued" ? null : progress}
      size={size}
      label={`${run.configName} 的同步进度`}
      valueText={text}
      tone={SYNC_STATUS_TONES[run.status]}
    />
  );
}

export function RunPercent({ run }: { run: SyncRun }) {
  const progress = runProgress(run, useSyncRuns().recent);
  if (progress === null || !isLiveSync(run.status)) return null;
  return <span className="tabular-nums">{formatPercent(Math.min(progress, 0.99))}</span>;
}

export function ProgressText({ run }: { run: SyncRun }) {
  return useProgressText(run);
}

function useProgressText(run: SyncRun): string {
  const isWaiting = run.status === "running" && isUnanswered(run);
  const now = useNow(isWaiting ? 1000 : undefined);
  return isWaiting && now - run.startedAt >= WAITING_SECONDS ? "正在等待云服务商响应…" : progressText(run);
}

export function progressText(run: SyncRun): string {
  if (run.status === "queued") return "正在排队，等待开始";
  if (run.regionsTotal === 0) return isLiveSync(run.status) ? "正在读取地域和项目" : "尚未读到地域";
  return `已读取 ${formatNumber(run.hostsSeen)} 台 · 地域 ${run.regionsDone}/${run.regionsTotal}`;
}

/** Ticks while the run goes on. */
export function RunElapsed({ run: { startedAt, finishedAt } }: { run: SyncRun }) {
  const now = useNow(finishedAt === null ? 1000 : undefined);
  return <span className="tabular-nums">{formatDuration((finishedAt ?? now) - startedAt)}</span>;
}
