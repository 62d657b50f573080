import { useState } from "react";

export type DialogProps = { open: boolean; onOpenChange: (open: boolean) => void };
export type DialogState<Subject> = DialogProps & { subject: Subject };

/**
 * Which dialog of a page is open, and for which row. Render the dialogs on the page, not in the
 * rows: a live list may drop a row while its dialog is in use. `dialog(kind)` keeps the last
 * subject while the dialog fades out.
 */
export function useDialog<Kind extends string, Subject>() {
  const [shown, setShown] = useState<{ kind: Kind; subject: Subject } | null>(null);
  const [open, onOpenChange] = useState(false);
  function show(kind: Kind, subject: Subject): void {
    setShown({ kind, subject });
    onOpenChange(true);
  }
  function dialog(kind: Kind): DialogState<Subject> | null {
    return shown?.kind === kind ? { subject: shown.subject, open, onOpenChange } : null;
  }
  return { show, dialog };
}
