import "@/zod-setup";
import { zodResolver } from "@hookform/resolvers/zod";
import { ConfirmTotpInput, SetUpTotpInput, type TotpSetUp } from "@shared/second-factor.ts";
import { type ReactNode, useState } from "react";
import { type FieldValues, type Path, type UseFormReturn, useForm } from "react-hook-form";
import type { z } from "zod";
import { errorCode, errorMessage, showFieldErrors, toastActError } from "@/api/errors";
import { trpc } from "@/api/trpc";
import { CopyableText } from "@/components/copyable-text";
import { FormField } from "@/components/form-field";
import { PasswordInput } from "@/components/password-input";
import { Button } from "@/components/ui/button";
import { CodeInput } from "./code-input";
import { QrCode } from "./qr-code";
import { StepTitle } from "./step-title";

type SetUpStepsProps = {
  username: string;
  size?: "md" | "lg";
  /** A secret was made. */
  onBegin?: () => void;
  /** The second factor is on; the third step is keeping these codes. */
  onEnabled: (recoveryCodes: readonly string[]) => void;
};

type Step = { kind: "password" } | { kind: "scan" | "confirm"; setUp: TotpSetUp };

/** Switches the own second factor on: the password, then two steps of three. */
export function SetUpSteps({ username, size = "md", onBegin, onEnabled }: SetUpStepsProps) {
  const [step, setStep] = useState<Step>({ kind: "password" });

  if (step.kind === "password") {
    return (
      <PasswordStep
        username={username}
        size={size}
        onDone={(setUp) => {
          setStep({ kind: "scan", setUp });
          onBegin?.();
        }}
      />
    );
  }

  const { setUp } = step;
  if (step.kind === "scan") {
    return (
      <ScanStep setUp={setUp} size={size} onDone={() => setStep({ kind: "confirm", setUp })} />
    );
  }
  return (
    <ConfirmStep
      size={size}
      onBack={() => setStep({ kind: "scan", setUp })}
      onEnabled={onEnabled}
    />
  );
}

type Size = { size: "md" | "lg" };

type PasswordStepProps = Size & { username: string; onDone: (setUp: TotpSetUp) => void };

function PasswordStep({ username, size, onDone }: PasswordStepProps) {
  const form = useForm<SetUpTotpInput>({
    resolver: zodResolver(SetUpTotpInput),
    defaultValues: { password: "" },
  });
  // The answer is a secret: it is kept here alone.
  const setUp = trpc.auth.setUpTotp.useMutation({ gcTime: 0 });

  async function submit(values: SetUpTotpInput): Promise<void> {
    try {
      onDone(await setUp.mutateAsync(values));
    } catch (error) {
      showRefusal(error, form, { field: "password", title: "获取密钥失败" });
    }
  }

  return (
    <form noValidate className="grid gap-4" onSubmit={form.handleSubmit(submit)}>
      <p className="text-sm text-muted-foreground">
        开启后，登录时除密码外还要输入手机上的验证码。请先准备好验证器应用，例如 Microsoft
        Authenticator、Google Authenticator 或 1Password。
      </p>
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <FormField control={form.control} name="password" label="当前密码" required>
        {(field) => <PasswordInput {...field} size={size} autoFocus />}
      </FormField>
      <StepButtons>
        <Button type="submit" size={size} loading={form.formState.isSubmitting}>
          下一步
        </Button>
      </StepButtons>
    </form>
  );
}

type ScanStepProps = Size & { setUp: TotpSetUp; onDone: () => void };

function ScanStep({ setUp, size, onDone }: ScanStepProps) {
  return (
    <div className="grid gap-4">
      <StepTitle number={1} title="扫描二维码" />
      <div className="grid justify-items-center gap-3">
        <QrCode text={setUp.otpauthUrl} label="验证器的二维码" />
        <div className="w-full min-w-0 text-sm">
          <p className="text-muted-foreground">无法扫描时，在验证器中手动输入密钥：</p>
          <CopyableText
            text={spaced(setUp.secret)}
            label="密钥"
            className="[&>span]:break-words [&>span]:whitespace-normal"
          />
        </div>
      </div>
      <StepButtons>
        <Button size={size} autoFocus onClick={onDone}>
          下一步
        </Button>
      </StepButtons>
    </div>
  );
}

type CodeForm = z.infer<typeof ConfirmTotpInput>;
type ConfirmStepProps = Size & Pick<SetUpStepsProps, "onEnabled"> & { onBack: () => void };

function ConfirmStep({ size, onBack, onEnabled }: ConfirmStepProps) {
  const form = useForm<CodeForm>({
    resolver: zodResolver(ConfirmTotpInput),
    defaultValues: { code: "" },
  });
  const confirm = trpc.auth.confirmTotp.useMutation({ gcTime: 0 });

  async function submit(values: CodeForm): Promise<void> {
    try {
      const { recoveryCodes } = await confirm.mutateAsync(values);
      onEnabled(recoveryCodes);
    } catch (error) {
      showRefusal(error, form, { field: "code", title: "开启两步验证失败" });
    }
  }

  return (
    <form noValidate className="grid gap-4" onSubmit={form.handleSubmit(submit)}>
      <StepTitle number={2} title="输入验证码" />
      <FormField
        control={form.control}
        name="code"
        label="验证码"
        required
        help="验证器现在显示的 6 位数字，每 30 秒更换一次"
      >
        {(field) => <CodeInput {...field} size={size} autoFocus />}
      </FormField>
      <p className="text-sm text-muted-foreground">开启后，其他设备上的登录会全部退出。</p>
      <StepButtons>
        <Button variant="outline" size={size} onClick={onBack}>
          上一步
        </Button>
        <Button type="submit" size={size} loading={form.formState.isSubmitting}>
          开启两步验证
        </Button>
      </StepButtons>
    </form>
  );
}

function StepButtons({ children }: { children: ReactNode }) {
  return <div className="flex gap-2 [&>button]:flex-1">{children}</div>;
}

/** `JBSW Y3DP …`, as it is read off. Authenticators ignore the blanks. */
function spaced(secret: string): string {
  return secret.replaceAll(/.{4}(?=.)/g, "$& ");
}

/** Under its field where the server names one, or refuses the password; else as a toast. */
function showRefusal<Values extends FieldValues>(
  error: unknown,
  form: UseFormReturn<Values>,
  { field, title }: { field: Path<Values>; title: string },
): void {
  if (errorCode(error) === "WRONG_PASSWORD" || errorCode(error) === "TOO_MANY_REQUESTS") {
    form.setError(field, { type: "server", message: errorMessage(error) }, { shouldFocus: true });
    return;
  }
  if (!showFieldErrors(error, form)) toastActError(title, error);
}
