import { zodResolver } from "@hookform/resolvers/zod";
import { ROLE_LABELS, type Role } from "@shared/roles.ts";
import type { User } from "@shared/users.ts";
import { useState } from "react";
import { type Control, useController, useForm } from "react-hook-form";
import { Alert } from "@/components/ui/alert";
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
import { Field } from "@/components/ui/field";
import { FormField } from "@/components/ui/form-field";
import { Input } from "@/components/ui/input";
import { SwitchField } from "@/components/ui/switch";
import { showFieldErrors } from "@/failure";
import { notifyFailure } from "@/failure-notice";
import { notify } from "@/lib/notify";
import { useSession } from "@/session";
import { trpc } from "@/trpc";
import { ProfileFields } from "./profile-fields";
import { changesOf, EDIT_FIELDS, EditUserForm, type EditUserValues, startingValues } from "./user-form";
import { UserPicker } from "./user-picker";

type EditUserDialogProps = { user: User; isSelf: boolean; open: boolean; onOpenChange: (open: boolean) => void };

export function EditUserDialog({ open, onOpenChange, ...rest }: EditUserDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent size="lg">
        <DialogHeader title="编辑用户" />
        <EditForm {...rest} onDone={() => onOpenChange(false)} />
      </DialogContent>
    </Dialog>
  );
}

type EditFormProps = { user: User; isSelf: boolean; onDone: () => void };

function EditForm({ user, isSelf, onDone }: EditFormProps) {
  const { refreshUser } = useSession();
  const [opened] = useState(user);
  const form = useForm({ resolver: zodResolver(EditUserForm), defaultValues: startingValues(opened) });
  const update = trpc.users.update.useMutation({
    async onSuccess(updated) {
      notify.success("更新成功", `用户 ${updated.name}（${updated.username}）已更新`);
      onDone();
      if (isSelf) await refreshUser().catch((error: unknown) => notifyFailure("加载失败", error));
    },
    onError(error) {
      if (!showFieldErrors(error, form.setError, EDIT_FIELDS)) notifyFailure("更新失败", error);
    },
  });
  return (
    <DialogForm
      isDirty={form.formState.isDirty}
      onSubmit={form.handleSubmit((values) => update.mutateAsync(changesOf(opened, values)))}
    >
      <DialogBody>
        <EditFields user={user} isSelf={isSelf} control={form.control} />
      </DialogBody>
      <DialogFooter>
        <DialogClose asChild>
          <Button variant="outline">取消</Button>
        </DialogClose>
        <Button type="submit" loading={update.isPending}>
          保存
        </Button>
      </DialogFooter>
    </DialogForm>
  );
}

type EditFieldsProps = Omit<EditFormProps, "onDone"> & { control: Control<EditUserValues> };

function EditFields({ user, isSelf, control }: EditFieldsProps) {
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <Field label="用户名" help="用户名不能修改">
        <Input value={user.username} disabled />
      </Field>
      <Field label="角色" help="角色不能修改">
        <Input value={ROLE_LABELS[user.role]} disabled />
      </Field>
      <ProfileFields control={control} names={{ name: "name", email: "email", phone: "phone" }} />
      {user.role === "client" ? (
        <FormField control={control} name="adminId" label="负责管理员">
          {({ value, onChange, ref }) => (
            <UserPicker
              only="admin"
              ref={ref}
              clearable
              placeholder="未分配管理员"
              value={value ?? null}
              onValueChange={onChange}
              selectedName={user.admin === null ? undefined : `${user.admin.name}（${user.admin.username}）`}
            />
          )}
        </FormField>
      ) : null}
      <ActiveField user={user} isSelf={isSelf} control={control} />
    </div>
  );
}

function ActiveField({ user, isSelf, control }: EditFieldsProps) {
  const { field } = useController({ control, name: "isActive" });
  const isBeingDisabled = user.isActive && !field.value;
  return (
    <div className="grid gap-3 sm:col-span-2">
      <SwitchField
        className="rounded-md border px-3.5 py-3"
        label="启用账号"
        description={isSelf ? "不能停用自己的账号" : "停用后无法登录，资料和历史记录保留"}
        checked={field.value}
        onCheckedChange={field.onChange}
        disabled={isSelf}
      />
      {isBeingDisabled ? (
        <Alert tone="warning" live>
          {whatDisablingEnds(user.role)}
        </Alert>
      ) : null}
    </div>
  );
}

function whatDisablingEnds(role: Role): string {
  const always = "保存后该用户的所有登录会话立即结束，无法再登录";
  return role === "admin" ? `${always}；其负责的C端用户将变为“未分配管理员”。` : `${always}。`;
}
