import type { Renewal } from "@shared/renewals.ts";
import { type ReactNode, useState } from "react";
import { CompleteDialog } from "./complete-dialog";
import { ProcessDialog } from "./process-dialog";

/** Always the same functions: the table's columns hold them, and new columns would draw every cell anew. */
export type RenewalDecisions = { process: (renewal: Renewal) => void; complete: (renewal: Renewal) => void };

type Asked = { decision: "process" | "complete"; renewal: Renewal };

/**
 * Opens what decides a request. Render `dialogs` once on the page, not in the rows: a row may leave the live list while its dialog
 * is being filled in.
 */
export function useRenewalDecisions(): { decisions: RenewalDecisions; dialogs: ReactNode } {
  // What was asked last stays while its dialog fades out.
  const [asked, setAsked] = useState<Asked | null>(null);
  const [isOpen, setOpen] = useState(false);
  const [decisions] = useState<RenewalDecisions>(() => {
    const ask = (decision: Asked["decision"]) => (renewal: Renewal) => {
      setAsked({ decision, renewal });
      setOpen(true);
    };
    return { process: ask("process"), complete: ask("complete") };
  });
  return { decisions, dialogs: asked === null ? null : dialogOf(asked, { open: isOpen, onOpenChange: setOpen }) };
}

type OpenProps = { open: boolean; onOpenChange: (open: boolean) => void };

function dialogOf({ decision, renewal }: Asked, openProps: OpenProps): ReactNode {
  switch (decision) {
    case "process":
      return <ProcessDialog key={renewal.id} renewal={renewal} {...openProps} />;
    case "complete":
      return <CompleteDialog renewal={renewal} {...openProps} />;
  }
}
