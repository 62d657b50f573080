import type { Host } from "@shared/hosts.ts";
import { RefreshCw, UserMinus, UserPlus } from "lucide-react";
import { useState } from "react";
import { SelectionBar } from "@/components/data-table-tools";
import { Button } from "@/components/ui/button";
import { lazyDialog } from "@/lib/lazy-dialog";
import { useIsMediumScreen } from "@/lib/use-media";
import type { BatchOperation } from "./use-batch";
import type { HostSelection } from "./use-host-selection";

const BatchDialog = lazyDialog(() => import("./batch-dialog").then((m) => m.BatchDialog));

/** The operations for the chosen hosts. On phones one button; the dialog lets one choose. */
export function BatchBar({ selection }: { selection: HostSelection }) {
  const isMedium = useIsMediumScreen();
  const [isOpen, setOpen] = useState(false);
  const [operation, setOperation] = useState<BatchOperation | null>(null);
  // Those that the dialog was opened with.
  const [hosts, setHosts] = useState<readonly Host[]>([]);

  function open(chosen: BatchOperation | null): void {
    setHosts(selection.chosen);
    setOperation(chosen);
    setOpen(true);
  }

  return (
    <>
      <SelectionBar count={selection.chosen.length} unit="台主机" onClear={selection.clear}>
        {isMedium ? (
          <>
            <Button variant="outline" onClick={() => open("sync")}>
              <RefreshCw aria-hidden="true" />
              同步
            </Button>
            <Button variant="outline" onClick={() => open("assign")}>
              <UserPlus aria-hidden="true" />
              分配
            </Button>
            <Button variant="outline" onClick={() => open("unassign")}>
              <UserMinus aria-hidden="true" />
              取消分配
            </Button>
          </>
        ) : (
          <Button onClick={() => open(null)}>批量操作</Button>
        )}
      </SelectionBar>
      <BatchDialog
        hosts={hosts}
        operation={operation}
        open={isOpen}
        onOpenChange={setOpen}
        onFinished={(failed) => selection.keepOnly(failed)}
      />
    </>
  );
}
