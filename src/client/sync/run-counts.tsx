import type { SyncRun } from "@shared/sync.ts";
import { cn } from "@/lib/cn";
import { formatNumber } from "@/lib/format-number";

/** What has happened to the hosts so far. */
export function RunCounts({ run, className }: { run: SyncRun; className?: string }) {
  const counts = [
    { label: "新增", count: run.created, tone: "text-success-ink" },
    { label: "更新", count: run.updated, tone: "text-primary-ink" },
    { label: "未变", count: run.unchanged, tone: "text-foreground" },
    { label: "消失", count: run.gone, tone: "text-warning-ink" },
    { label: "异常", count: run.rejected, tone: "text-danger-ink" },
  ];
  return (
    <dl className={cn("grid grid-cols-5 divide-x rounded-md border bg-muted/50", className)}>
      {counts.map(({ label, count, tone }) => (
        <div key={label} className="min-w-0 px-2 py-1.5 text-center">
          <dt className="text-xs text-muted-foreground">{label}</dt>
          <dd className={cn("truncate font-medium tabular-nums", count === 0 ? "text-subtle-foreground" : tone)}>
            {formatNumber(count)}
          </dd>
        </div>
      ))}
    </dl>
  );
}
