import { ROLE_LABELS } from "@shared/roles.ts";
import { UpdateUserInput, type User } from "@shared/users.ts";
import { useFormContext } from "react-hook-form";
import { trpc } from "@/api/trpc";
import { FormDialog } from "@/components/form-dialog/form-dialog";
import { NoteField } from "@/components/notes/note-field";
import { Alert } from "@/components/ui/alert";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { SwitchField } from "@/components/ui/switch";
import { notify } from "@/lib/notify";
import type { DialogState } from "@/lib/use-dialog";
import { useCurrentUser } from "@/session/session";
import { AdminField, ProfileFields } from "./profile-fields";
import { notifyEnabled } from "./user-actions";

/** The shared rules, with every field filled. */
const EditUserForm = UpdateUserInput.omit({ id: true }).required({ name: true, isActive: true });

export function EditUserDialog({ subject: user, ...dialog }: DialogState<User>) {
  const update = trpc.users.update.useMutation();
  const { name, email, phone, isActive, adminId, note } = user;

  return (
    <FormDialog
      {...dialog}
      size="lg"
      title="编辑用户"
      draft={`users.update:${user.id}`}
      schema={EditUserForm}
      defaultValues={{
        name,
        email: email ?? "",
        phone: phone ?? "",
        isActive,
        adminId,
        note: note ?? "",
      }}
      submitLabel="保存"
      errorTitle="更新失败"
      onSubmit={async (_values, edited) => {
        const updated = await update.mutateAsync({ ...edited, id: user.id });
        notifyUpdated(user, updated);
      }}
    >
      {() => (
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <Field label="用户名" help="用户名不能修改">
            <Input value={user.username} disabled />
          </Field>
          <Field label="角色" help="角色不能修改">
            <Input value={ROLE_LABELS[user.role]} disabled />
          </Field>
          <ProfileFields />
          {user.role === "client" ? <AdminField selected={user.admin} /> : null}
          <UserNoteField userId={user.id} />
          <ActiveField user={user} />
        </div>
      )}
    </FormDialog>
  );
}

/** Switching an account on or off is more than an update, and is said as such. */
function notifyUpdated(before: User, after: User): void {
  if (!before.isActive && after.isActive) {
    notifyEnabled(after);
    return;
  }

  const name = `用户 ${after.name} · @${after.username}`;
  if (before.isActive && !after.isActive) {
    notify.success("已停用", { message: `${name} 已停用，登录会话全部结束` });
    return;
  }

  notify.success("更新成功", { message: `${name} 已更新` });
}

/** Super admins alone open the dialog, and alone read it. */
function UserNoteField({ userId }: { userId: string }) {
  // The dialog keeps the user as it was when it opened.
  const { data: current } = trpc.users.get.useQuery({ id: userId });

  return (
    <NoteField
      rows={3}
      help="只有超级管理员看到"
      placeholder="选填，最多 2,000 个字符"
      stored={current?.note}
      className="sm:col-span-2"
    />
  );
}

function ActiveField({ user }: { user: User }) {
  const isSelf = useCurrentUser().id === user.id;
  const { watch, setValue } = useFormContext<{ isActive: boolean }>();
  const isActive = watch("isActive");

  return (
    <div className="grid gap-3 sm:col-span-2">
      <SwitchField
        className="rounded-md border px-3.5 py-3"
        label="启用账号"
        description={isSelf ? "不能停用自己的账号" : "停用后无法登录，资料和历史记录保留"}
        checked={isActive}
        onCheckedChange={(checked) => setValue("isActive", checked, { shouldDirty: true })}
        disabled={isSelf}
      />
      {user.isActive && !isActive ? (
        <Alert tone="warning" live>
          保存后该用户的所有登录会话立即结束，无法再登录
          {user.role === "admin" ? "；其负责的C端用户将变为“未分配管理员”。" : "。"}
        </Alert>
      ) : null}
    </div>
  );
}
