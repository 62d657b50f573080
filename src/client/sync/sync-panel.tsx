import { isLiveSync } from "@shared/sync.ts";
import { DialogBody, DialogHeader } from "@/components/ui/dialog";
import { Sheet, SheetContent } from "@/components/ui/sheet";
import { ConnectionNote } from "./connection-note";
import { RunCard } from "./run-card";
import { SyncButton } from "./sync-button";
import { SyncHistory } from "./sync-history";
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
  const isAnyLive = watched.some(({ status }) => isLiveSync(status));
  return (
    <>
      <ConnectionNote />
      <section aria-label="当前同步" className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <div className="flex min-h-8.5 items-center justify-between gap-3">
          <h3 className="font-semibold">{isAnyLive || watched.length === 0 ? "正在同步" : "刚刚结束"}</h3>
          <SyncButton variant="outline" />
        </div>
        {watched.length === 0 ? (
          <p className="rounded-md border border-dashed px-4 py-5 text-center text-sm text-muted-foreground">
            当前没有进行中的同步
          </p>
        ) : (
          watched.map((run) => <RunCard key={run.id} run={run} />)
        )}
      </section>
      <section aria-label="历史记录" className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <h3 className="font-semibold">历史记录</h3>
        <SyncHistory except={watched.map(({ id }) => id)} />
      </section>
    </>
  );
}
