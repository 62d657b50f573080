import { CreateUserInput } from "@shared/users.ts";
import { useFormContext } from "react-hook-form";
import type { z } from "zod";
import { errorCode, errorMessage } from "@/api/errors";
import { trpc } from "@/api/trpc";
import { FormDialog } from "@/components/form-dialog/form-dialog";
import { FormField } from "@/components/form-field";
import { PasswordInput } from "@/components/password-input";
import { PasswordRules } from "@/components/password-rules";
import { Input } from "@/components/ui/input";
import { RadioGroup } from "@/components/ui/radio-group";
import { halfWidthCode } from "@/lib/half-width";
import { notify } from "@/lib/notify";
import type { DialogProps } from "@/lib/use-dialog";
import { AdminField, ProfileFields } from "./profile-fields";

export function CreateUserDialog(dialog: DialogProps) {
  const create = trpc.users.create.useMutation();

  async function save({ adminId, ...values }: z.output<typeof CreateUserInput>): Promise<void> {
    // Only a client has one; the field keeps its value while another role is chosen.
    const input = values.role === "client" ? { ...values, adminId } : values;
    const user = await create.mutateAsync(input);
    notify.success("创建成功", { message: `用户 ${user.name} · @${user.username} 已创建` });
  }

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
      onSubmit={save}
      onError={(error, form) => {
        // The username is taken.
        if (errorCode(error) !== "CONFLICT") return;
        form.setError(
          "username",
          { type: "server", message: errorMessage(error) },
          { shouldFocus: true },
        );
      }}
    >
      {() => <UserFields />}
    </FormDialog>
  );
}

/** The server's message, else one that names the likely cause. */
function creationFailureText(error: unknown): string {
  const text = errorMessage(error);
  return text === "请求失败" || text === "未知错误" ? "用户创建失败，请检查输入信息" : text;
}

type UserValues = z.input<typeof CreateUserInput>;

function UserFields() {
  const { control, watch } = useFormContext<UserValues>();
  return (
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
            options={ROLES}
          />
        )}
      </FormField>
      <ProfileFields />
      {watch("role") === "client" ? <AdminField help="可以以后再设置" /> : null}
    </div>
  );
}

/** Another super admin cannot be created here. */
const ROLES = [
  { value: "client", label: "C端用户", description: "查看分配给自己的主机，申请续费" },
  { value: "admin", label: "管理员", description: "查看所负责用户的主机和续费申请" },
] as const;
