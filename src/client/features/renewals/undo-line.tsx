import type { Renewal } from "@shared/renewals.ts";
import { Undo2 } from "lucide-react";
import { Button } from "@/components/ui/button";
import { formatTime } from "@/lib/format";
import { lazyDialog } from "@/lib/lazy";
import { useDialog } from "@/lib/use-dialog";
import { useNow } from "@/lib/use-now";

const UndoDialog = lazyDialog(() => import("./undo-dialog").then((m) => m.UndoDialog));
/** The line goes by itself when the time is over. */
const TICK_MS = 1_000;

/** Until when the last decision of a request can be undone; nothing when it cannot. */
export function UndoLine({ renewal }: { renewal: Renewal }) {
  // Asked for is the decision that was seen, not one that comes while the dialog is open.
  const { show, dialog } = useDialog<"undo", Renewal>();
  const undo = dialog("undo");
  const now = useNow(TICK_MS);
  const { undoableUntil } = renewal;
  const isUndoable = undoableUntil !== null && now <= undoableUntil;

  return (
    <>
      {isUndoable ? (
        <div className="flex items-center justify-between gap-3 rounded-md border bg-muted/60 py-2 pr-2 pl-3.5 text-sm">
          <span className="tabular-nums">{`可在 ${formatTime(undoableUntil)} 前撤销`}</span>
          <Button size="sm" variant="outline" onClick={() => show("undo", renewal)}>
            <Undo2 className="size-3.5" />
            撤销
          </Button>
        </div>
      ) : null}
      {undo === null ? null : <UndoDialog {...undo} />}
    </>
  );
}
