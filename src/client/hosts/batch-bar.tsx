import type { Host } from "@shared/hosts.ts";
import { RefreshCw, UserMinus, UserPlus } from "lucide-react";
import { useState } from "react";
import { SelectionBar } from "@/components/data-table-tools";
import { Button } from "@/components/ui/button";
import { lazyDialog } from "@/lib/lazy-dialog";
import { useIsMediumScreen } from "@/lib/use-media";
import { BATCH_LABELS, type BatchOperation } from "./use-batch";
import type { HostSelection } from "./use-host-selection";

const BatchDialog = lazyDialog(() => import("./batch-dialog").then((m) => m.BatchDialog));

const OPERATIONS = [
  { operation: "sync", icon: RefreshCw },
  { operation: "assign", icon: UserPlus },
  { operation: "unassign", icon: UserMinus },
] as const;

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
          OPERATIONS.map(({ operation, icon: Icon }) => (
            <Button key={operation} variant="outline" onClick={() => open(operation)}>
              <Icon aria-hidden="true" />
              {BATCH_LABELS[operation]}
            </Button>
          ))
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
