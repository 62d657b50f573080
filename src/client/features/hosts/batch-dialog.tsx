import type { Host } from "@shared/hosts.ts";
import { Download } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Dialog, DialogBody, DialogClose, DialogContent, DialogFooter, DialogHeader } from "@/components/ui/dialog";
import { Progress } from "@/components/ui/progress";
import { downloadCsv } from "@/lib/download-csv";
import { currentSeconds, formatDate } from "@/lib/format";
import { BatchForm } from "./batch-form";
import { hostTitle } from "./host-facts";
import { ResultList } from "./result-list";
import { BATCH_LABELS, type BatchOperation, type BatchState, useBatch } from "./use-batch";

type BatchDialogProps = {
  hosts: readonly Host[];
  /** What the form starts with; null leaves the choice open. */
  operation: BatchOperation | null;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** After a run, with the hosts that it failed for and those that it did not reach. */
  onFinished: (left: readonly string[]) => void;
};

/** A form, then the result of each host. */
export function BatchDialog({ hosts, operation, open, onOpenChange, onFinished }: BatchDialogProps) {
  const batch = useBatch();
  const { state } = batch;

  function change(next: boolean): void {
    if (state?.isRunning) return;
    if (!next && state !== null) {
      const done = new Set(state.lines.filter(({ ok }) => ok).map(({ id }) => id));
      onFinished(hosts.map(({ id }) => id).filter((id) => !done.has(id)));
      batch.reset();
    }
    onOpenChange(next);
  }

  return (
    <Dialog open={open} onOpenChange={change}>
      <DialogContent size="md">
        <DialogHeader title="批量操作" description={`已选择 ${state?.total ?? hosts.length} 台主机`} />
        {state === null ? (
          <BatchForm hosts={hosts} operation={operation} onSubmit={(order) => batch.run(order, hosts)} />
        ) : (
          <>
            {/* A long list of results scrolls by keyboard. */}
            <DialogBody tabIndex={0}>
              <BatchResults state={state} />
            </DialogBody>
            <DialogFooter>
              {state.isRunning ? (
                <Button variant="outline" onClick={batch.stop}>
                  停止后续主机
                </Button>
              ) : (
                <>
                  <Button variant="outline" onClick={() => exportResults(state)}>
                    <Download aria-hidden="true" />
                    导出结果
                  </Button>
                  <DialogClose asChild>
                    <Button>完成</Button>
                  </DialogClose>
                </>
              )}
            </DialogFooter>
          </>
        )}
      </DialogContent>
    </Dialog>
  );
}

function exportResults({ operation, lines }: BatchState): void {
  const rows = lines.map(({ host, ok, message }) => [
    hostTitle(host),
    host.ucloudId,
    ok ? "成功" : "失败",
    message ?? "",
  ]);
  downloadCsv(`批量${BATCH_LABELS[operation]}结果-${formatDate(currentSeconds())}.csv`, [
    ["主机", "资源 ID", "结果", "说明"],
    ...rows,
  ]);
}

/** The result of each host, failures first. */
function BatchResults({ state }: { state: BatchState }) {
  const failed = state.lines.filter(({ ok }) => !ok);
  const done = state.lines.length - failed.length;
  const lines = [...failed, ...state.lines.filter(({ ok }) => ok)];
  return (
    <div className="grid gap-4">
      <div className="grid gap-2">
        <p role="status" className="flex flex-wrap items-center gap-x-3 tabular-nums">
          <span className="font-medium">
            {state.isRunning ? `正在${BATCH_LABELS[state.operation]}` : `${BATCH_LABELS[state.operation]}完成`}{" "}
            {state.lines.length} / {state.total} 台
          </span>
          <span className="text-sm text-success-ink">成功 {done}</span>
          {failed.length > 0 ? <span className="text-sm text-danger-ink">失败 {failed.length}</span> : null}
        </p>
        <Progress
          value={state.total === 0 ? null : state.lines.length / state.total}
          label="批量操作进度"
          size="sm"
          tone={state.isRunning ? "accent" : failed.length > 0 ? "warning" : "success"}
        />
      </div>
      {lines.length > 0 ? <ResultList label="每台主机的结果" lines={lines} /> : null}
    </div>
  );
}
