import { useState } from "react";
import type { FieldValues } from "react-hook-form";
import { z } from "zod";
import { Dialog, DialogContent, DialogHeader } from "@/components/ui/dialog";
import { removeDraft } from "@/lib/drafts";
import { useCurrentUser } from "@/session/session";
import { DialogForm } from "./dialog-form";
import { DiscardDialog } from "./discard-dialog";
import type { FormDialogProps } from "./form-dialog-props";
import type { FormChanges } from "./use-unsaved-changes";

/** The schema of a dialog that only explains what its button does. */
export const NoFields = z.object({});

/**
 * A dialog around one form. It submits once, keeps what is filled in on a failure, and asks before
 * that is discarded.
 */
export function FormDialog<Values extends FieldValues, Output extends object, Answer>(
  props: FormDialogProps<Values, Output, Answer>,
) {
  const { open, title, description, size = "md" } = props;
  const { id: userId } = useCurrentUser();
  const draftKey = props.draft === null ? null : { userId, form: props.draft };
  const [changes, setChanges] = useState<FormChanges>("none");

  /**
   * Closed by the person, in whatever way, it leaves no draft; one that the end of the session
   * takes away does.
   */
  function changeOpen(next: boolean): void {
    if (!next && draftKey !== null) removeDraft(draftKey);
    props.onOpenChange(next);
  }

  function closeUnlessUnsaved(next: boolean): void {
    if (!next && changes !== "none") setChanges("discarding");
    else changeOpen(next);
  }

  return (
    <Dialog open={open} onOpenChange={closeUnlessUnsaved}>
      <DialogContent size={size}>
        <DialogHeader title={title} description={description} />
        <DialogForm
          {...props}
          onOpenChange={changeOpen}
          draftKey={draftKey}
          onChanges={setChanges}
        />
      </DialogContent>
      <DiscardDialog
        // A submit that has closed the dialog meanwhile leaves nothing to confirm.
        open={open && changes === "discarding"}
        // After a discard the form may already be gone, and its changes with it.
        onOpenChange={() => setChanges((now) => (now === "discarding" ? "unsaved" : now))}
        onDiscard={() => changeOpen(false)}
      />
    </Dialog>
  );
}
