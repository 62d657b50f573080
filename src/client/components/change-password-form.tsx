import "@/zod-setup";
import { zodResolver } from "@hookform/resolvers/zod";
import { ChangePasswordInput } from "@shared/auth.ts";
import { useForm, useWatch } from "react-hook-form";
import { z } from "zod";
import { errorCode, errorMessage, showFieldErrors, toastActError } from "@/api/errors";
import { trpc } from "@/api/trpc";
import { Button } from "@/components/ui/button";
import { notify } from "@/lib/notify";
import { FormField } from "./form-field";
import { PasswordInput } from "./password-input";
import { PasswordRules } from "./password-rules";

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
        toastActError("密码修改失败", error);
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
