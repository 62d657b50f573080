import { ROLE_LABELS } from "@shared/roles.ts";
import { CreateUserInput, UpdateUserInput, type User } from "@shared/users.ts";
import { useFormContext } from "react-hook-form";
import { errorCode, errorMessage } from "@/api/errors";
import { trpc } from "@/api/trpc";
import { FormDialog } from "@/components/form-dialog/form-dialog";
import { FormField } from "@/components/form-field";
import { PasswordInput } from "@/components/password-input";
import { PasswordRules } from "@/components/password-rules";
import { Alert } from "@/components/ui/alert";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { RadioGroup } from "@/components/ui/radio-group";
import { SwitchField } from "@/components/ui/switch";
import { UserPicker } from "@/components/user-picker";
import { halfWidthCode, phoneDigits } from "@/lib/half-width";
import { notify } from "@/lib/notify";
import type { DialogState } from "@/lib/use-dialog";
import { useCurrentUser } from "@/session/session";

export function CreateUserDialog(dialog: Omit<DialogState<User>, "subject">) {
  const create = trpc.users.create.useMutation();
  return (
    <FormDialog
      {...dialog}
      size="lg"
      title="创建用户"
      draft="users.create"
      description="账号创建后即可登录"
      schema={CreateUserInput}
      defaultValues={{
        username: "",
        password: "",
        name: "",
        role: "client",
        email: "",
        phone: "",
        adminId: null,
      }}
      submitLabel="创建"
      errorTitle="创建失败"
      errorText={creationFailureText}
      onSubmit={async ({ adminId, ...values }) => {
        const user = await create.mutateAsync(
          values.role === "client" ? { ...values, adminId } : values,
        );
        notify.success("创建成功", { message: `用户 ${user.name} · @${user.username} 已创建` });
      }}
      onError={(error, form) => {
        if (errorCode(error) !== "CONFLICT") return;
        form.setError(
          "username",
          { type: "server", message: errorMessage(error) },
          { shouldFocus: true },
        );
      }}
    >
      {({ control, watch }) => (
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <FormField
            control={control}
            name="username"
            label="用户名"
            required
            help="3-50 个字符，字母、数字或下划线"
          >
            {(field) => (
              <Input
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                rewrite={halfWidthCode}
                {...field}
              />
            )}
          </FormField>
          <div className="grid gap-2">
            <FormField control={control} name="password" label="密码" required>
              {(field) => <PasswordInput autoComplete="new-password" {...field} />}
            </FormField>
            <PasswordRules password={watch("password")} />
          </div>
          <FormField control={control} name="role" label="角色" required className="sm:col-span-2">
            {({ value, onChange }) => (
              <RadioGroup
                className="sm:grid-cols-2"
                value={value}
                onValueChange={onChange}
                options={[
                  {
                    value: "client",
                    label: "C端用户",
                    description: "查看分配给自己的主机，申请续费",
                  },
                  {
                    value: "admin",
                    label: "管理员",
                    description: "查看所负责用户的主机和续费申请",
                  },
                ]}
              />
            )}
          </FormField>
          <ProfileFields />
          {watch("role") === "client" ? <AdminField help="可以以后再设置" /> : null}
        </div>
      )}
    </FormDialog>
  );
}

/** The server's message, else one that names the likely cause. */
function creationFailureText(error: unknown): string {
  const text = errorMessage(error);
  return text === "请求失败" || text === "未知错误" ? "用户创建失败，请检查输入信息" : text;
}

/** The shared rules, with every field filled. */
const EditUserForm = UpdateUserInput.omit({ id: true }).required({ name: true, isActive: true });

export function EditUserDialog({ subject: user, ...dialog }: DialogState<User>) {
  const update = trpc.users.update.useMutation();
  const { name, email, phone, isActive, adminId } = user;

  return (
    <FormDialog
      {...dialog}
      size="lg"
      title="编辑用户"
      draft={`users.update:${user.id}`}
      schema={EditUserForm}
      defaultValues={{ name, email: email ?? "", phone: phone ?? "", isActive, adminId }}
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
          <ActiveField user={user} />
        </div>
      )}
    </FormDialog>
  );
}

/** Switching an account on or off is more than an update, and is said as such. */
function notifyUpdated(before: User, after: User): void {
  const name = `用户 ${after.name} · @${after.username}`;
  if (before.isActive && !after.isActive) {
    notify.success("已停用", { message: `${name} 已停用，登录会话全部结束` });
    return;
  }
  if (!before.isActive && after.isActive) {
    notify.success("已启用", { message: `${name} 可以重新登录` });
    return;
  }

  notify.success("更新成功", { message: `${name} 已更新` });
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

type Profile = { name: string; email: string; phone: string; adminId: string | null };

function ProfileFields() {
  const { control } = useFormContext<Profile>();
  const email = {
    type: "email",
    inputMode: "email",
    placeholder: "选填",
    rewrite: halfWidthCode,
  } as const;
  const phone = {
    type: "tel",
    inputMode: "numeric",
    placeholder: "选填，11 位手机号",
    rewrite: phoneDigits,
  } as const;

  return (
    <>
      <FormField control={control} name="name" label="姓名" required>
        {(field) => <Input autoComplete="off" placeholder="例如：张三" {...field} />}
      </FormField>
      <FormField control={control} name="email" label="邮箱">
        {(field) => <Input autoComplete="off" {...email} {...field} />}
      </FormField>
      <FormField control={control} name="phone" label="手机号">
        {(field) => <Input autoComplete="off" {...phone} {...field} />}
      </FormField>
    </>
  );
}

function AdminField({ help, selected }: { help?: string; selected?: User["admin"] }) {
  const { control } = useFormContext<Profile>();
  return (
    <FormField control={control} name="adminId" label="负责管理员" help={help}>
      {({ value, onChange, ref }) => (
        <UserPicker
          only="admin"
          ref={ref}
          clearable
          placeholder="未分配管理员"
          value={value}
          onValueChange={onChange}
          selectedName={selected ? `${selected.name} · @${selected.username}` : undefined}
        />
      )}
    </FormField>
  );
}
