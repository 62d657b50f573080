import { PasswordInput } from "@/components/password-input";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { halfWidthCode } from "@/lib/half-width";
import { useSession } from "@/session/session";
import { AuthScreen } from "./auth-screen";
import { SecondFactorPage } from "./second-factor-page";
import { useLogin } from "./use-login";

/** Label, field and the line of its error, so that an error moves nothing. */
const FIELD = "min-h-22";

export function LoginPage() {
  const { reason } = useSession();
  const {
    username,
    password,
    errors,
    failure,
    isSubmitting,
    pending,
    submit,
    forgetError,
    startAgain,
  } = useLogin();

  if (pending !== null) {
    return <SecondFactorPage challenge={pending.challenge} onLeave={startAgain} />;
  }

  return (
    <AuthScreen title="登录">
      <form noValidate className="grid gap-2" onSubmit={submit} onChange={forgetError}>
        {reason === "expired" ? (
          <Alert tone="warning" title="认证失败，请重新登录">
            上次的登录已经失效：可能已过期，或已在其他设备上被退出。
          </Alert>
        ) : null}
        <Field label="用户名" error={errors.username} className={FIELD}>
          <Input
            ref={username}
            name="username"
            size="lg"
            autoFocus
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            rewrite={halfWidthCode}
          />
        </Field>
        <Field label="密码" error={errors.password} className={FIELD}>
          <PasswordInput ref={password} name="password" size="lg" />
        </Field>
        <Button type="submit" size="lg" className="mb-2 w-full" loading={isSubmitting}>
          登录
        </Button>
        {failure !== null ? (
          <Alert tone="danger" title="登录失败" live>
            {failure}
          </Alert>
        ) : null}
        <p className="text-center text-sm text-muted-foreground">
          忘记密码？请联系系统管理员重置。
        </p>
      </form>
    </AuthScreen>
  );
}
