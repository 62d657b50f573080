import { isLiveSync, type SyncRun } from "@shared/sync.ts";
import { useState } from "react";
import { trpc } from "@/api/trpc";
import { DialogBody, DialogHeader } from "@/components/ui/dialog";
import { Sheet, SheetContent } from "@/components/ui/sheet";
import { ConnectionNote } from "./connection-note";
import { RunCard } from "./run-card";
import { SyncButton } from "./sync-button";
import { SyncHistory } from "./sync-history";
import { useSyncPanel } from "./use-sync-panel";
import { useWatchedRuns } from "./use-sync-runs";

type SyncPanelProps = { open: boolean; onOpenChange: (open: boolean) => void };

/** Everything about syncing in one drawer: what goes on, what has just ended, what was. */
export function SyncPanel({ open, onOpenChange }: SyncPanelProps) {
  return (
    <Sheet open={open} onOpenChange={onOpenChange}>
      <SheetContent size="lg">
        <DialogHeader title="主机同步" description="从云服务商读取主机的最新状态，关闭此面板不会影响同步。" />
        <DialogBody className="grid grid-cols-[minmax(0,1fr)] content-start gap-5">
          <PanelBody />
        </DialogBody>
      </SheetContent>
    </Sheet>
  );
}

function PanelBody() {
  const { watched } = useWatchedRuns();
  const asked = useAskedRun();
  const shown = asked === null || watched.some(({ id }) => id === asked.id) ? watched : [...watched, asked];
  const isAnyLive = watched.some(({ status }) => isLiveSync(status));
  return (
    <>
      <ConnectionNote />
      <section aria-label="当前同步" className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <div className="flex min-h-8.5 items-center justify-between gap-3">
          <h3 className="font-semibold">
            {isAnyLive || shown.length === 0 ? "正在同步" : watched.length === 0 ? "同步结果" : "刚刚结束"}
          </h3>
          <SyncButton variant="outline" />
        </div>
        {shown.length === 0 ? (
          <p className="rounded-md border border-dashed px-4 py-5 text-center text-sm text-muted-foreground">
            当前没有进行中的同步
          </p>
        ) : (
          shown.map((run) => <RunCard key={run.id} run={run} />)
        )}
      </section>
      <section aria-label="历史记录" className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <h3 className="font-semibold">历史记录</h3>
        <SyncHistory except={shown.map(({ id }) => id)} />
      </section>
    </>
  );
}

/** The run that whoever opened the panel wants to see: it may have ended before the panel was there to watch it. */
function useAskedRun(): SyncRun | null {
  const { runId } = useSyncPanel();
  // Not forgotten while the panel fades out.
  const [id, setId] = useState(runId);
  if (runId !== undefined && runId !== id) setId(runId);
  const run = trpc.hosts.syncRun.useQuery({ id: id ?? "" }, { enabled: id !== undefined });
  return run.data ?? null;
}
