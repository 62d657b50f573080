import type { LoginInput } from "@shared/auth.ts";
import { TRPCClientError } from "@trpc/client";
import { type SubmitEvent, useRef, useState } from "react";
import { errorCode, errorMessage, fieldErrors } from "@/api/errors";
import { prefetchConsole } from "@/app/lazy-shell";
import { returnPath } from "@/app/route-guard";
import { type PendingSignIn, useSession } from "@/session/session";

type FieldErrors = Partial<Record<keyof LoginInput, string>>;

/** The state of the sign-in form. Without form library: it would be a third of the first page. */
export function useLogin() {
  const { login } = useSession();
  const [errors, setErrors] = useState<FieldErrors>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [isSubmitting, setSubmitting] = useState(false);
  const [pending, setPending] = useState<PendingSignIn | null>(null);
  const username = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);

  function typedValues(): LoginInput {
    return {
      username: username.current?.value ?? "",
      password: password.current?.value ?? "",
    };
  }

  async function submit(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (isSubmitting) return;

    setFailure(null);
    const values = typedValues();
    const missing = missingFields(values);
    setErrors(missing);
    if (hasErrors(missing)) {
      focusFirst(missing);
      return;
    }

    setSubmitting(true);
    // The next page loads while the server checks the password.
    prefetchConsole(new URL(returnPath(), location.href).pathname);
    try {
      const waiting = await login(values);
      if (waiting === null) return;

      setPending(waiting);
      setSubmitting(false);
    } catch (error) {
      setSubmitting(false);
      showError(error);
    }
  }

  /** Under the fields that the server refused, else below the button. */
  function showError(error: unknown): void {
    const refused = refusedFields(error);
    if (hasErrors(refused)) {
      setErrors(refused);
      focusFirst(refused);
      return;
    }

    setFailure(loginFailureText(error));
    password.current?.select();
  }

  function focusFirst(found: FieldErrors): void {
    const field = found.username === undefined ? password : username;
    field.current?.focus();
  }

  /** What is typed takes the error of its field away. */
  function forgetError({ target }: { target: EventTarget }): void {
    if (target instanceof HTMLInputElement) setErrors({ ...errors, [target.name]: undefined });
  }

  /** Back to the password, and why: undefined when the person wants it so. */
  function startAgain(why?: string): void {
    setPending(null);
    setFailure(why ?? null);
  }

  return {
    username,
    password,
    errors,
    failure,
    isSubmitting,
    pending,
    submit,
    forgetError,
    startAgain,
  };
}

function missingFields({ username, password }: LoginInput): FieldErrors {
  const errors: FieldErrors = {};
  if (username === "") errors.username = "用户名不能为空";
  if (password === "") errors.password = "密码不能为空";
  return errors;
}

function refusedFields(error: unknown): FieldErrors {
  return Object.fromEntries(fieldErrors(error).map(({ field, message }) => [field, message]));
}

function hasErrors(errors: FieldErrors): boolean {
  return Object.keys(errors).length > 0;
}

/** The server's message, else the one for the status. */
function loginFailureText(error: unknown): string {
  if (!(error instanceof TRPCClientError)) return "登录失败，请稍后重试";

  const { response } = error.meta ?? {};
  if (errorCode(error) !== null || !(response instanceof Response)) return errorMessage(error);
  if (response.status === 400) return "请求参数错误";
  if (response.status === 401) return "用户名或密码错误";
  return response.status >= 500 ? "服务器内部错误" : "登录失败，请稍后重试";
}
