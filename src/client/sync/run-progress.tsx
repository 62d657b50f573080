import { isLiveSync, type SyncRun } from "@shared/sync.ts";
import { useState } from "react";
import { Progress } from "@/components/ui/progress";
import { formatDuration, formatPercent } from "@/lib/format";
import { formatNumber } from "@/lib/format-number";
import { useNow } from "@/lib/use-now";
import { isUnanswered, runShare } from "./run-facts";

/** Seconds without a sign of the provider after which what stands still is explained. */
const SILENCE_SECONDS = 5;

/** The bar never goes back, although what the provider announces grows while regions are opened. Give it the run's id as key. */
export function RunBar({ run, size = "md" }: { run: SyncRun; size?: "xs" | "sm" | "md" }) {
  const share = useHighWater(runShare(run));
  const sentence = useProgressSentence(run);
  return (
    <Progress
      value={run.status === "queued" ? null : share}
      size={size}
      label={`${run.configName} 的同步进度`}
      valueText={sentence}
      tone={barTone(run)}
    />
  );
}

export function RunPercent({ run }: { run: SyncRun }) {
  const share = useHighWater(runShare(run));
  if (share === null || !isLiveSync(run.status)) return null;
  return <span className="tabular-nums">{formatPercent(Math.min(share, 0.99))}</span>;
}

export function ProgressSentence({ run }: { run: SyncRun }) {
  return useProgressSentence(run);
}

/** Zeros that do not move look like a page that hangs: who is waited for is said in their place. */
function useProgressSentence(run: SyncRun): string {
  const isWaiting = run.status === "running" && isUnanswered(run);
  const now = useNow(isWaiting ? 1000 : undefined);
  return isWaiting && now - run.startedAt >= SILENCE_SECONDS ? "正在等待云服务商响应…" : progressSentence(run);
}

export function progressSentence(run: SyncRun): string {
  if (run.status === "queued") return "正在排队，等待开始";
  if (run.regionsTotal === 0) return isLiveSync(run.status) ? "正在读取地域和项目" : "尚未读到地域";
  return `${formatNumber(run.hostsSeen)} / ${formatNumber(run.hostsTotal)} 台 · 地域 ${run.regionsDone} / ${run.regionsTotal}`;
}

/** Ticks while the run goes on. */
export function RunElapsed({ run }: { run: SyncRun }) {
  return run.finishedAt === null ? (
    <TickingElapsed since={run.startedAt} />
  ) : (
    <Elapsed seconds={run.finishedAt - run.startedAt} />
  );
}

function TickingElapsed({ since }: { since: number }) {
  const now = useNow(1000);
  return <Elapsed seconds={now - since} />;
}

function Elapsed({ seconds }: { seconds: number }) {
  return <span className="tabular-nums">{formatDuration(seconds)}</span>;
}

function useHighWater(share: number | null): number | null {
  const [highest, setHighest] = useState(share);
  if (share !== null && (highest === null || share > highest)) setHighest(share);
  return share === null ? highest : Math.max(share, highest ?? 0);
}

function barTone(run: SyncRun): "accent" | "success" | "warning" | "danger" {
  switch (run.status) {
    case "succeeded":
      return "success";
    case "partial":
    case "interrupted":
    case "cancelled":
      return "warning";
    case "failed":
      return "danger";
    case "queued":
    case "running":
      return "accent";
  }
}
