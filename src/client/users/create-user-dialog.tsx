import { zodResolver } from "@hookform/resolvers/zod";
import { CreateUserInput } from "@shared/users.ts";
import { type Control, useForm, useWatch } from "react-hook-form";
import { PasswordRules } from "@/auth/password-rules";
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
import { FormField } from "@/components/ui/form-field";
import { Input } from "@/components/ui/input";
import { PasswordInput } from "@/components/ui/password-input";
import { RadioGroup } from "@/components/ui/radio-group";
import { failureCode, failureText, showFieldErrors } from "@/failure";
import { notify } from "@/lib/notify";
import { trpc } from "@/trpc";
import { ProfileFields } from "./profile-fields";
import { CREATE_FIELDS, type CreateUserValues, NEW_USER } from "./user-form";
import { UserPicker } from "./user-picker";

type CreateUserDialogProps = { open: boolean; onOpenChange: (open: boolean) => void };

export function CreateUserDialog({ open, onOpenChange }: CreateUserDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent size="lg">
        <DialogHeader title="创建用户" description="账号创建后即可登录" />
        <CreateUserForm onDone={() => onOpenChange(false)} />
      </DialogContent>
    </Dialog>
  );
}

function CreateUserForm({ onDone }: { onDone: () => void }) {
  const form = useForm({ resolver: zodResolver(CreateUserInput), defaultValues: NEW_USER });
  const create = trpc.users.create.useMutation({
    onSuccess(user) {
      notify.success("创建成功", `用户 ${user.name}（${user.username}）已创建`);
      onDone();
    },
    onError(error) {
      if (failureCode(error) === "UNAUTHENTICATED") return;
      showFieldErrors(error, form.setError, CREATE_FIELDS);
      if (failureCode(error) === "CONFLICT") {
        form.setError("username", { type: "server", message: failureText(error) }, { shouldFocus: true });
      }
      notify.error("创建失败", creationFailureText(error));
    },
  });
  return (
    <DialogForm
      isDirty={form.formState.isDirty}
      onSubmit={form.handleSubmit(({ adminId, ...values }) =>
        create.mutateAsync(values.role === "client" ? { ...values, adminId } : values),
      )}
    >
      <DialogBody>
        <CreateUserFields control={form.control} />
      </DialogBody>
      <DialogFooter>
        <DialogClose asChild>
          <Button variant="outline">取消</Button>
        </DialogClose>
        <Button type="submit" loading={create.isPending}>
          创建
        </Button>
      </DialogFooter>
    </DialogForm>
  );
}

function CreateUserFields({ control }: { control: Control<CreateUserValues> }) {
  const role = useWatch({ control, name: "role" });
  const password = useWatch({ control, name: "password" });
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <FormField control={control} name="username" label="用户名" required help="3-50 个字符，字母、数字或下划线">
        {(field) => <Input maxLength={50} autoComplete="off" autoCapitalize="none" spellCheck={false} {...field} />}
      </FormField>
      <div className="grid gap-2">
        <FormField control={control} name="password" label="密码" required>
          {(field) => <PasswordInput autoComplete="new-password" maxLength={128} {...field} />}
        </FormField>
        <PasswordRules password={password} />
      </div>
      <FormField control={control} name="role" label="角色" required className="sm:col-span-2">
        {({ value, onChange }) => (
          <RadioGroup
            look="cards"
            className="sm:grid-cols-2"
            value={value}
            onValueChange={onChange}
            options={[
              { value: "client", label: "C端用户", description: "查看分配给自己的主机，申请续费" },
              { value: "admin", label: "管理员", description: "查看所负责用户的主机和续费申请" },
            ]}
          />
        )}
      </FormField>
      <ProfileFields control={control} names={{ name: "name", email: "email", phone: "phone" }} />
      {role === "client" ? (
        <FormField control={control} name="adminId" label="负责管理员" help="可以以后再设置">
          {({ value, onChange, ref }) => (
            <UserPicker
              only="admin"
              ref={ref}
              clearable
              placeholder="未分配管理员"
              value={value ?? null}
              onValueChange={onChange}
            />
          )}
        </FormField>
      ) : null}
    </div>
  );
}

/** The server's sentence, else the one that at least says where to look. */
function creationFailureText(error: unknown): string {
  const text = failureText(error);
  return text === "请求失败" || text === "未知错误" ? "用户创建失败，请检查输入信息" : text;
}
