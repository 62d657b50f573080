import type { Renewal } from "@shared/renewals.ts";
import { SelectionBar } from "@/components/data-table-tools";
import { Button } from "@/components/ui/button";
import { lazyDialog } from "@/lib/lazy";
import { useDialog } from "@/lib/use-dialog";
import type { Selection } from "@/lib/use-row-selection";
import type { DecisionSubject } from "./decision-dialog";
import { DECISION_ACTS, type RenewalAction } from "./decisions";

const DecisionDialog = lazyDialog(() => import("./decision-dialog").then((m) => m.DecisionDialog));

/** The bar of actions on the chosen requests, and their dialog. */
export function BatchDecisions({ selection }: { selection: Selection<Renewal> }) {
  const { chosen, clear, keepOnly } = selection;
  const { show, dialog } = useDialog<"decide", DecisionSubject>();
  const decide = dialog("decide");

  return (
    <>
      <SelectionBar count={chosen.length} unit="个申请" onClear={clear}>
        {actionsFor(chosen).map((action, index) => (
          <Button
            key={action}
            variant={index === 0 ? "primary" : "outline"}
            onClick={() => show("decide", { action, renewals: chosen })}
          >
            {DECISION_ACTS[action].title}
          </Button>
        ))}
      </SelectionBar>
      {decide === null ? null : <DecisionDialog {...decide} onFinished={keepOnly} />}
    </>
  );
}

/** What is possible for every one of them; the usual one first. */
function actionsFor(chosen: readonly Renewal[]): readonly RenewalAction[] {
  const isEach = (status: Renewal["status"]) => chosen.every((each) => each.status === status);

  if (isEach("pending")) return ["approve", "reject", "complete"];
  if (isEach("approved")) return ["complete", "close"];
  return ["complete", "reject"];
}
