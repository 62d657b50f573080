import "@/zod-setup";
import { zodResolver } from "@hookform/resolvers/zod";
import { ChangePasswordInput } from "@shared/auth.ts";
import { PASSWORD_RULES } from "@shared/passwords.ts";
import { Check, Circle } from "lucide-react";
import { useForm, useWatch } from "react-hook-form";
import { z } from "zod";
import { errorCode, errorMessage, showFieldErrors, toastError } from "@/api/errors";
import { trpc } from "@/api/trpc";
import { FormField } from "@/components/form-field";
import { PasswordInput } from "@/components/password-input";
import { Button } from "@/components/ui/button";
import { cn } from "@/lib/cn";
import { notify } from "@/lib/notify";
import { useCurrentUser, useSession } from "@/session/session";
import { AuthScreen } from "./auth-screen";

const PasswordForm = z
  .object({ ...ChangePasswordInput.shape, confirmation: z.string().min(1, "请再次输入新密码") })
  .refine(({ newPassword, confirmation }) => confirmation === newPassword, {
    path: ["confirmation"],
    error: "两次输入的密码不一致",
  });
type PasswordForm = z.infer<typeof PasswordForm>;

const EMPTY: PasswordForm = { currentPassword: "", newPassword: "", confirmation: "" };

type ChangePasswordFormProps = {
  username: string;
  submitLabel: string;
  size?: "md" | "lg";
  autoFocus?: boolean;
};

/** Changes the own password; the session of this browser goes on, all others end. */
export function ChangePasswordForm({
  username,
  submitLabel,
  size = "md",
  autoFocus = false,
}: ChangePasswordFormProps) {
  const form = useForm<PasswordForm>({
    resolver: zodResolver(PasswordForm),
    defaultValues: EMPTY,
    mode: "onTouched",
  });
  const newPassword = useWatch({ control: form.control, name: "newPassword" });
  const change = trpc.auth.changePassword.useMutation();

  async function submit({ currentPassword, newPassword: chosen }: PasswordForm): Promise<void> {
    try {
      await change.mutateAsync({ currentPassword, newPassword: chosen });
    } catch (error) {
      if (errorCode(error) === "WRONG_PASSWORD") {
        form.setError(
          "currentPassword",
          { type: "server", message: errorMessage(error) },
          { shouldFocus: true },
        );
      } else if (!showFieldErrors(error, form)) {
        toastError("密码修改失败", error);
      }
      return;
    }
    form.reset(EMPTY);
    notify.success("密码已修改", { message: "其他设备上的登录已全部退出" });
  }

  return (
    <form noValidate className="grid gap-4" onSubmit={form.handleSubmit(submit)}>
      {/* Password managers want to know whose password it is. */}
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <FormField control={form.control} name="currentPassword" label="当前密码" required>
        {(field) => <PasswordInput {...field} size={size} autoFocus={autoFocus} />}
      </FormField>
      <div className="grid gap-2">
        <FormField control={form.control} name="newPassword" label="新密码" required>
          {(field) => <PasswordInput {...field} size={size} autoComplete="new-password" />}
        </FormField>
        <PasswordRules password={newPassword} />
      </div>
      <FormField control={form.control} name="confirmation" label="确认新密码" required>
        {(field) => <PasswordInput {...field} size={size} autoComplete="new-password" />}
      </FormField>
      <div className="flex">
        <Button
          type="submit"
          size={size}
          className={size === "lg" ? "w-full" : ""}
          loading={form.formState.isSubmitting}
        >
          {submitLabel}
        </Button>
      </div>
    </form>
  );
}

/** The only screen of a session whose password was set by a super admin. */
export function PasswordDuePage() {
  const user = useCurrentUser();
  const { logout } = useSession();
  return (
    <AuthScreen
      title="修改密码"
      description={`${user.name}，您正在使用初始密码或重置后的密码，请先设置自己的密码。`}
    >
      <ChangePasswordForm
        username={user.username}
        submitLabel="修改密码并继续"
        size="lg"
        autoFocus
      />
      <Button variant="ghost" className="mt-2 w-full" onClick={logout}>
        退出登录
      </Button>
    </AuthScreen>
  );
}

/** What a new password must hold, each line ticked as soon as it does. */
export function PasswordRules({ password, className }: { password: string; className?: string }) {
  return (
    <ul aria-label="密码要求" className={cn("grid gap-1 sm:grid-cols-2", className)}>
      {PASSWORD_RULES.map(({ label, holds }) => {
        const isFulfilled = holds(password);
        const Icon = isFulfilled ? Check : Circle;
        return (
          <li
            key={label}
            className={cn(
              "flex items-center gap-1.5 text-xs",
              isFulfilled ? "text-success-ink" : "text-muted-foreground",
            )}
          >
            <Icon className={cn("size-3.5 shrink-0", !isFulfilled && "p-0.5")} />
            <span>{label}</span>
            <span className="sr-only">{isFulfilled ? "，已满足" : "，未满足"}</span>
          </li>
        );
      })}
      <li className="flex items-center gap-1.5 text-xs text-muted-foreground sm:col-span-2">
        <Circle className="size-3.5 shrink-0 p-0.5" />
        <span>不是常见密码，提交时检查</span>
      </li>
    </ul>
  );
}
