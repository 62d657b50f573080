import type { Renewal } from "@shared/renewals.ts";
import { lazyDialog } from "@/lib/lazy";
import type { DialogState } from "@/lib/use-dialog";
import type { OnAct } from "./decision-buttons";
import type { RenewalAction } from "./decisions";
import { ProcessDialog } from "./process-dialog";

const DecisionDialog = lazyDialog(() => import("./decision-dialog").then((m) => m.DecisionDialog));

type DecisionDialogsProps = {
  /** The page of the list, in which the next request is looked for. */
  requests: readonly Renewal[];
  show: OnAct;
  dialog: (action: RenewalAction) => DialogState<Renewal> | null;
};

/** The dialog of the action that was chosen for a request. */
export function DecisionDialogs({ requests, show, dialog }: DecisionDialogsProps) {
  const approve = dialog("approve");
  const reject = dialog("reject");
  const complete = dialog("complete");
  const close = dialog("close");
  const process = approve ?? reject;

  return (
    <>
      {process === null ? null : (
        <ProcessDialog
          key={process.subject.id}
          {...process}
          firstChoice={reject === null ? "approved" : "rejected"}
          onNext={nextStep(requests, process.subject, show)}
        />
      )}
      {complete === null ? null : (
        <DecisionDialog
          {...complete}
          subject={{ action: "complete", renewals: [complete.subject] }}
        />
      )}
      {close === null ? null : (
        <DecisionDialog {...close} subject={{ action: "close", renewals: [close.subject] }} />
      )}
    </>
  );
}

/** Each request begins anew, whatever was decided about the one before; null after the last. */
function nextStep(requests: readonly Renewal[], { id }: Renewal, show: OnAct): (() => void) | null {
  const index = requests.findIndex((each) => each.id === id);
  const next = requests.slice(index + 1).find(({ status }) => status === "pending");
  return next === undefined ? null : () => show("approve", next);
}
