import { zodResolver } from "@hookform/resolvers/zod";
import { ASSIGNMENT_DAYS_MESSAGE, type Host, type HostUser } from "@shared/hosts.ts";
import { useState } from "react";
import { type FieldErrors, useForm } from "react-hook-form";
import { Button } from "@/components/ui/button";
import {
  Dialog,
  DialogBody,
  DialogClose,
  DialogContent,
  DialogFooter,
  DialogForm,
  DialogHeader,
} from "@/components/ui/dialog";
import { showFieldErrors } from "@/failure";
import { notifyFailure } from "@/failure-notice";
import { currentSeconds } from "@/lib/format";
import { notify } from "@/lib/notify";
import { trpc } from "@/trpc";
import { type AssignmentForm, assignmentForm, assignmentInput, assignmentValues, validityDays } from "./assignment";
import { AssignmentFields } from "./assignment-fields";
import { assignmentWarnings } from "./assignment-warnings";
import { hostTitle } from "./host-tab";

type AssignDialogProps = {
  host: Host;
  /** Set to change the period of someone who has the host already. */
  user?: HostUser;
  open: boolean;
  onOpenChange: (open: boolean) => void;
};

export function AssignDialog({ host, user, open, onOpenChange }: AssignDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent size="md">
        <DialogHeader
          title={user === undefined ? "分配主机" : "修改有效期"}
          description={
            <>
              {hostTitle(host)} · {host.zoneName}
            </>
          }
        />
        <AssignForm host={host} user={user} onDone={() => onOpenChange(false)} />
      </DialogContent>
    </Dialog>
  );
}

type AssignFormProps = { host: Host; user: HostUser | undefined; onDone: () => void };

function AssignForm({ host, onDone, ...rest }: AssignFormProps) {
  const utils = trpc.useUtils();
  // As it was when the form was filled with it; the server says when it is not so any more.
  const [user] = useState(rest.user);
  const form = useForm({
    resolver: zodResolver(assignmentForm(user)),
    mode: "onTouched",
    defaultValues: assignmentValues(user),
  });
  const assign = trpc.hosts.assign.useMutation({
    onSuccess(assigned) {
      utils.hosts.get.setData({ id: assigned.id }, assigned);
      const name = assigned.users.find(({ id }) => id === form.getValues("userId"))?.name ?? "用户";
      notify.success(
        user === undefined ? "分配成功" : "有效期已更新",
        `${hostTitle(assigned)} 已分配给 ${name}，有效期 ${validityDays(form.getValues(), user)} 天`,
      );
      onDone();
    },
    onError(error) {
      if (!showFieldErrors(error, form.setError, ["userId", "start", "customDays", "remark"])) {
        notifyFailure("分配失败", error);
      }
    },
  });
  return (
    <DialogForm
      isDirty={form.formState.isDirty}
      onSubmit={form.handleSubmit(async (values) => {
        const input = assignmentInput(values, currentSeconds(), user);
        if (input === null) return;
        const expected = user === undefined ? {} : { expectedExpireTime: user.assignedExpireTime };
        await assign.mutateAsync({ hostId: host.id, ...input, ...expected });
      }, warnOfInvalid)}
    >
      <DialogBody className="grid gap-4">
        <AssignmentFields
          control={form.control}
          present={user}
          warningsFor={(userId, end) => assignmentWarnings([host], { userId, end, isChange: user !== undefined })}
        />
      </DialogBody>
      <DialogFooter>
        <DialogClose asChild>
          <Button variant="outline">取消</Button>
        </DialogClose>
        <Button type="submit" loading={assign.isPending}>
          {user === undefined ? "分配" : "保存"}
        </Button>
      </DialogFooter>
    </DialogForm>
  );
}

/** The same words as under the fields, for those who look elsewhere. */
export function warnOfInvalid(errors: FieldErrors<AssignmentForm>): void {
  if (errors.userId) notify.warning("请选择用户", { id: "assignment-invalid" });
  else if (errors.customDays) {
    notify.warning("分配天数无效", { message: ASSIGNMENT_DAYS_MESSAGE, id: "assignment-invalid" });
  }
}
