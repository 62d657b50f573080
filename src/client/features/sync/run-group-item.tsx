import { SYNC_STATUS_LABELS } from "@shared/sync.ts";
import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { RelativeTime } from "@/components/relative-time";
import type { ChosenChanges } from "@/components/sync/run-changes-dialog";
import { RunItem } from "@/components/sync/run-item";
import { resultText, SYNC_STATUS_TONES } from "@/components/sync/run-summary";
import { Badge } from "@/components/ui/badge";
import { formatNumber } from "@/lib/format-number";
import type { RunGroup } from "./run-groups";

type RunGroupItemProps = {
  group: RunGroup;
  onShowChanges: (changes: ChosenChanges) => void;
};

/** Runs that say the same, as one line that opens to all of them. */
export function RunGroupItem({ group, onShowChanges }: RunGroupItemProps) {
  const { kind, runs, isUnbroken } = group;
  const [isOpen, setOpen] = useState(false);
  const [newest] = runs;
  const { configName, status, startedAt } = newest;

  return (
    <details
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      className="group/runs"
    >
      <summary className="flex list-none flex-wrap items-center gap-x-3 gap-y-0.5 px-3.5 py-2.5 text-sm hover:bg-muted/60 focus-visible:-outline-offset-2 [&::-webkit-details-marker]:hidden">
        <ChevronRight className="size-4 shrink-0 text-muted-foreground transition-transform group-open/runs:rotate-90" />
        <span className="min-w-0 truncate text-base font-medium" title={configName}>
          {configName}
        </span>
        <Badge tone={SYNC_STATUS_TONES[status]}>{SYNC_STATUS_LABELS[status]}</Badge>
        <span className="min-w-0 flex-1 text-muted-foreground tabular-nums [overflow-wrap:anywhere]">
          {kind === "quiet"
            ? `${formatNumber(runs.length)} 次同步没有变化`
            : `${isUnbroken ? "连续 " : ""}${formatNumber(runs.length)} 次：${resultText(newest)}`}
        </span>
        <span className="ml-auto shrink-0 text-xs text-muted-foreground">
          <RelativeTime at={startedAt} />
        </span>
      </summary>
      {isOpen ? (
        <ul
          aria-label={`${configName}的 ${runs.length} 次同步`}
          className="divide-y border-t bg-muted/40 pl-4"
        >
          {runs.map((run) => (
            <li key={run.id}>
              <RunItem run={run} onShowChanges={onShowChanges} />
            </li>
          ))}
        </ul>
      ) : null}
    </details>
  );
}
