import type { SyncRun } from "@shared/sync.ts";
import { RefreshCw } from "lucide-react";
import { useLiveEvent } from "@/api/live-updates";
import { Progress } from "@/components/ui/progress";
import { Tooltip } from "@/components/ui/tooltip";
import { formatPercent } from "@/lib/format";
import { useCurrentUser } from "@/session/session";
import { announceEnd } from "./announce-end";
import { overallShare } from "./run-facts";
import { SyncPanel } from "./sync-panel";
import { useSyncPanel } from "./use-sync-panel";
import { useSyncRuns } from "./use-sync-runs";

/** For a super admin's top bar: how far a running sync is. Opens the sync panel, and tells the end of what this person started. */
export function LiveSyncIndicator() {
  const user = useCurrentUser();
  const { live } = useSyncRuns();
  const { isOpen, setOpen, show } = useSyncPanel();
  useLiveEvent("sync.finished", ({ data: run }) => {
    if (run.trigger === "manual" && run.requestedBy?.id === user.id) announceEnd(run, () => show(run.id));
  });
  return (
    <>
      <Tooltip content={live.length > 0 ? "查看同步进度" : "同步记录"} side="bottom">
        <button
          type="button"
          onClick={() => setOpen(true)}
          className="flex h-8.5 shrink-0 items-center gap-2 rounded-md px-2.5 text-sm font-medium text-muted-foreground hover:bg-accent hover:text-foreground"
        >
          <RefreshCw aria-hidden="true" className={live.length > 0 ? "size-4 animate-spin" : "size-4"} />
          <span className="sr-only">{live.length > 0 ? "查看同步进度" : "打开同步面板"}</span>
          {live.length > 0 ? <LiveProgress live={live} /> : null}
        </button>
      </Tooltip>
      <SyncPanel open={isOpen} onOpenChange={setOpen} />
    </>
  );
}

function LiveProgress({ live }: { live: readonly SyncRun[] }) {
  const share = overallShare(live);
  return (
    <>
      <span className="hidden w-20 sm:block">
        <Progress value={share} size="sm" label="同步总进度" />
      </span>
      <span className="min-w-8 text-right tabular-nums">
        {share === null ? "同步中" : formatPercent(Math.min(share, 0.99))}
      </span>
    </>
  );
}
