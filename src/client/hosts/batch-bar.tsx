import type { Host } from "@shared/hosts.ts";
import { RefreshCw, UserMinus, UserPlus } from "lucide-react";
import { Suspense, useEffect, useState } from "react";
import { Button } from "@/components/ui/button";
import { SelectionBar } from "@/components/ui/data-table-tools";
import { lazyPage } from "@/lib/lazy-page";
import { useIsMediumScreen } from "@/lib/use-media";
import type { BatchOperation } from "./batch-operation";
import type { HostSelection } from "./use-host-selection";

const BatchDialog = lazyPage(() => import("./batch-dialog").then((m) => m.BatchDialog));

/** What can be done with the chosen hosts. On phones one button, and the dialog asks which. */
export function BatchBar({ selection }: { selection: HostSelection }) {
  const isMedium = useIsMediumScreen();
  const [isOpen, setOpen] = useState(false);
  const [operation, setOperation] = useState<BatchOperation | null>(null);
  // The hosts of the dialog stay those that it was opened with.
  const [hosts, setHosts] = useState<readonly Host[]>([]);
  const [wasOpened, setOpened] = useState(false);
  const hasChosen = selection.chosen.length > 0;
  // Before anybody can press a button.
  useEffect(() => {
    if (hasChosen) BatchDialog.prefetch();
  }, [hasChosen]);

  function open(chosen: BatchOperation | null): void {
    setHosts(selection.chosen);
    setOperation(chosen);
    setOpened(true);
    setOpen(true);
  }

  return (
    <>
      {/* Room for the bar, so that it never covers the pages below the table. */}
      {hasChosen ? <div className="h-14" /> : null}
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
      {wasOpened ? (
        <Suspense fallback={null}>
          <BatchDialog
            hosts={hosts}
            operation={operation}
            open={isOpen}
            onOpenChange={setOpen}
            onFinished={(failed) => selection.keepOnly(failed)}
          />
        </Suspense>
      ) : null}
    </>
  );
}
