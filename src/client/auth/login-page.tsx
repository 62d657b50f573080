import { LoginInput } from "@shared/auth.ts";
import { type SubmitEvent, useRef, useState } from "react";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { PasswordInput } from "@/components/ui/password-input";
import { failedFields } from "@/failure";
import { returnPath } from "@/guard/return-path";
import { notify } from "@/lib/notify";
import { prefetchConsole } from "@/prefetch-console";
import { useSession } from "@/session";
import { AuthScreen } from "./auth-screen";
import { loginFailureText } from "./login-failure";

type FieldErrors = Partial<Record<keyof LoginInput, string>>;

/** Without the form library: it would be a tenth of what this first page has to load. */
export function LoginPage() {
  const { login, signedOutBecause } = useSession();
  const [values, setValues] = useState<LoginInput>({ username: "", password: "" });
  const [errors, setErrors] = useState<FieldErrors>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [isSubmitting, setSubmitting] = useState(false);
  const username = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);

  function change(patch: Partial<LoginInput>): void {
    setValues({ ...values, ...patch });
    setErrors({ ...errors, ...Object.fromEntries(Object.keys(patch).map((name) => [name, undefined])) });
  }

  function refuse(found: FieldErrors): void {
    setErrors(found);
    (found.username === undefined ? password : username).current?.focus();
  }

  async function submit(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (isSubmitting) return;
    setFailure(null);
    const input = LoginInput.safeParse(values);
    if (!input.success) return refuse(firstMessages(input.error.issues));
    setErrors({});
    setSubmitting(true);
    // What comes after the door is fetched while the server looks at the password.
    prefetchConsole(new URL(returnPath(), location.href).pathname);
    try {
      await login(input.data);
      notify.dismiss();
    } catch (error) {
      setSubmitting(false);
      const fields = firstMessages(failedFields(error).map(({ field, message }) => ({ path: [field], message })));
      if (Object.keys(fields).length > 0) return refuse(fields);
      const sentence = loginFailureText(error);
      setFailure(sentence);
      notify.error("登录失败", { message: sentence, id: "login" });
      password.current?.select();
    }
  }

  return (
    <AuthScreen title="登录">
      <form noValidate className="grid gap-4" onSubmit={submit}>
        {failure !== null ? <Alert tone="danger">{failure}</Alert> : null}
        {failure === null && signedOutBecause === "expired" ? (
          <Alert tone="warning">登录已失效，请重新登录后继续。</Alert>
        ) : null}
        <Field label="用户名" error={errors.username}>
          <Input
            ref={username}
            name="username"
            size="lg"
            autoFocus
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            value={values.username}
            onChange={(event) => change({ username: event.target.value })}
          />
        </Field>
        <Field label="密码" error={errors.password}>
          <PasswordInput
            ref={password}
            name="password"
            size="lg"
            value={values.password}
            onChange={(event) => change({ password: event.target.value })}
          />
        </Field>
        <Button type="submit" size="lg" className="mt-1 w-full" loading={isSubmitting}>
          登录
        </Button>
        <p className="text-center text-sm text-muted-foreground">忘记密码？请联系系统管理员重置。</p>
      </form>
    </AuthScreen>
  );
}

/** One message a field; what belongs to neither field is left out. */
function firstMessages(issues: readonly { path: readonly PropertyKey[]; message: string }[]): FieldErrors {
  const found: FieldErrors = {};
  for (const { path, message } of issues) {
    if (path[0] === "username") found.username ??= message;
    if (path[0] === "password") found.password ??= message;
  }
  return found;
}
