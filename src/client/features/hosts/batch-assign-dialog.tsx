import { z } from "zod";
import { assignGroups } from "./assign-calls";
import { warnOfInvalid } from "./assign-dialog";
import { AssignmentForm, assignmentValues, checkAssignment } from "./assignment";
import { BatchAssignmentFields } from "./batch-assignment-fields";
import { type BatchDialogProps, BatchFormDialog } from "./batch-form-dialog";
import { useLastAssignment } from "./last-assignment";

const BatchAssignForm = AssignmentForm.extend({
  /** Also for hosts that the user has for longer. */
  allowShorter: z.boolean(),
});

export function BatchAssignDialog(props: BatchDialogProps) {
  const { hosts } = props.subject;
  const { last, remember } = useLastAssignment();

  return (
    <BatchFormDialog
      {...props}
      act="assign"
      schema={BatchAssignForm.superRefine((values, context) =>
        checkAssignment(values, context, { hosts }),
      )}
      defaultValues={{ ...assignmentValues({ days: last?.days }), allowShorter: false }}
      toGroups={(values, send) => {
        remember(values);
        return assignGroups(hosts, values, send);
      }}
      onInvalid={warnOfInvalid}
    >
      <BatchAssignmentFields hosts={hosts} />
    </BatchFormDialog>
  );
}
