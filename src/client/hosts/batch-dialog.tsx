import type { Host } from "@shared/hosts.ts";
import { Button } from "@/components/ui/button";
import { Dialog, DialogBody, DialogClose, DialogContent, DialogFooter, DialogHeader } from "@/components/ui/dialog";
import { BatchForm } from "./batch-form";
import type { BatchOperation } from "./batch-operation";
import { BatchResults } from "./batch-results";
import { useBatch } from "./use-batch";

type BatchDialogProps = {
  hosts: readonly Host[];
  /** What the form starts with; null leaves the choice open. */
  operation: BatchOperation | null;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** After a run, with the hosts that it failed for. */
  onFinished: (failed: readonly string[]) => void;
};

/** Choose and fill in, then watch what comes of each host. */
export function BatchDialog({ hosts, operation, open, onOpenChange, onFinished }: BatchDialogProps) {
  const batch = useBatch();
  const { state } = batch;

  function change(next: boolean): void {
    if (state?.isRunning) return;
    if (!next && state !== null) {
      onFinished(state.lines.filter(({ ok }) => !ok).map(({ host }) => host.id));
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
            <DialogBody>
              <BatchResults state={state} />
            </DialogBody>
            <DialogFooter>
              {state.isRunning ? (
                <Button variant="outline" onClick={batch.stop}>
                  停止后续主机
                </Button>
              ) : (
                <DialogClose asChild>
                  <Button>完成</Button>
                </DialogClose>
              )}
            </DialogFooter>
          </>
        )}
      </DialogContent>
    </Dialog>
  );
}
