import { ASSIGNMENT_DAYS_MESSAGE, type Host, type HostUser } from "@shared/hosts.ts";
import type { FieldErrors } from "react-hook-form";
import { trpc } from "@/api/trpc";
import { FORM_TOAST, FormDialog } from "@/components/form-dialog";
import { hostTitle } from "@/components/hosts/host-display";
import { notify } from "@/lib/notify";
import type { DialogProps } from "@/lib/use-dialog";
import {
  AssignmentForm,
  assignmentInput,
  assignmentValues,
  checkAssignment,
  validityDays,
} from "./assignment";
import { AssignmentFields } from "./assignment-fields";

type AssignDialogProps = DialogProps & {
  host: Host;
  /** Set to change the period of someone who has the host. */
  user?: HostUser;
};

export function AssignDialog({ host, user, ...dialog }: AssignDialogProps) {
  const assign = trpc.hosts.assign.useMutation();

  async function submit(values: AssignmentForm): Promise<void> {
    const input = assignmentInput(values, user);
    // The end that the form showed, so that a renewal completed meanwhile is not reverted.
    const shown = user ?? host.users.find(({ id }) => id === values.userId);
    const expected = shown === undefined ? {} : { expectedExpireTime: shown.assignedExpireTime };
    const assigned = await assign.mutateAsync({ hostId: host.id, ...input, ...expected });
    const name = assigned.users.find(({ id }) => id === values.userId)?.name ?? "用户";
    notify.success(user === undefined ? "分配成功" : "有效期已更新", {
      message: `“${hostTitle(assigned)}”已分配给“${name}”，有效期 ${validityDays(values, user)} 天`,
    });
  }

  return (
    <FormDialog
      {...dialog}
      title={user === undefined ? "分配主机" : "修改有效期"}
      draft={`hosts.assign:${host.id}:${user?.id ?? ""}`}
      description={`${hostTitle(host)} · ${host.zoneName}`}
      schema={AssignmentForm.superRefine((values, context) =>
        checkAssignment(values, context, user),
      )}
      defaultValues={assignmentValues(user)}
      submitLabel={user === undefined ? "分配" : "保存"}
      errorTitle="分配失败"
      onSubmit={submit}
      onInvalid={warnOfInvalid}
    >
      {() => <AssignmentFields hosts={[host]} present={user} />}
    </FormDialog>
  );
}

export function warnOfInvalid(errors: FieldErrors<AssignmentForm>): void {
  if (errors.userId) notify.warning("请选择用户", { id: FORM_TOAST });
  else if (errors.days) {
    notify.warning("分配天数无效", { message: ASSIGNMENT_DAYS_MESSAGE, id: FORM_TOAST });
  }
}
