import { z } from "zod";
import { useLastAssignment } from "@/components/assignments/last-assignment";
import { type BatchDialogProps, BatchFormDialog } from "@/components/batch/batch-form-dialog";
import { assignGroups } from "./assign-calls";
import { AssignmentForm, assignmentValues, checkAssignment, warnOfInvalid } from "./assignment";
import { BatchAssignmentFields } from "./batch-assignment-fields";

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
      toGroups={(values, calls) => {
        remember(values);
        return assignGroups(hosts, values, calls);
      }}
      onInvalid={warnOfInvalid}
    >
      <BatchAssignmentFields hosts={hosts} />
    </BatchFormDialog>
  );
}
