import { isLiveSync } from "@shared/sync.ts";
import { X } from "lucide-react";
import { RunItem } from "@/components/sync/run-item";
import { Button } from "@/components/ui/button";
import { useVisibleRuns } from "./use-visible-runs";

/**
 * The runs of this moment, in a corner: what comes and goes must not move the rows that somebody
 * aims at. An ended one keeps its summary until it is closed. For super admins only.
 */
export function SyncProgressBar() {
  const { visibleRuns, dismiss } = useVisibleRuns();
  if (visibleRuns.length === 0) return null;

  return (
    <section
      aria-label="同步进度"
      className="fixed right-4 bottom-4 z-30 max-h-[60dvh] w-[min(32rem,calc(100vw-2rem))] divide-y overflow-y-auto rounded-md border border-border-strong bg-popover shadow-lg [main:has([data-slot=selection-bar])_&]:bottom-20 print:hidden"
    >
      {visibleRuns.map((run) => (
        <div key={run.id} className={isLiveSync(run.status) ? "" : "relative [&_summary]:pr-11"}>
          <RunItem run={run} />
          {isLiveSync(run.status) ? null : (
            <Button
              variant="ghost"
              size="sm"
              icon
              className="absolute top-1.5 right-1.5"
              aria-label={`关闭 ${run.configName} 的同步结果`}
              onClick={() => dismiss(run.id)}
            >
              <X />
            </Button>
          )}
        </div>
      ))}
    </section>
  );
}
