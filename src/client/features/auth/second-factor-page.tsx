import { CHALLENGE_ENDED } from "@shared/challenge-ended.ts";
import { type SubmitEvent, useRef, useState } from "react";
import { errorMessage } from "@/api/errors";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { halfWidthCode } from "@/lib/half-width";
import { useSession } from "@/session/session";
import { AuthScreen } from "./auth-screen";

type SecondFactorPageProps = {
  challenge: string;
  /** Back to the password; with a reason when this sign-in cannot go on. */
  onLeave: (why?: string) => void;
};

/** What the person has at hand; both are sent in the same way. */
const WAYS = {
  totp: {
    label: "验证码",
    description: "请输入验证器应用显示的 6 位验证码。",
    empty: "验证码不能为空",
    field: { inputMode: "numeric", autoComplete: "one-time-code" },
    other: "使用恢复码",
  },
  recovery: {
    label: "恢复码",
    description: "请输入开启两步验证时保存的一个恢复码，每个只能使用一次。",
    empty: "恢复码不能为空",
    field: { autoComplete: "off", placeholder: "XXXX-XXXX-XXXX-XXXX" },
    other: "使用验证码",
  },
} as const;

/** The second step of a sign-in: a code of the authenticator, or a recovery code. */
export function SecondFactorPage({ challenge, onLeave }: SecondFactorPageProps) {
  const { sendCode } = useSession();
  const [way, setWay] = useState<keyof typeof WAYS>("totp");
  const [failure, setFailure] = useState<string>();
  const [isSubmitting, setSubmitting] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const { label, description, empty, field, other } = WAYS[way];

  function switchWay(): void {
    setWay(way === "totp" ? "recovery" : "totp");
    setFailure(undefined);
  }

  function refuse(why: string): void {
    setFailure(why);
    input.current?.focus();
    input.current?.select();
  }

  async function submit(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (isSubmitting) return;

    const code = input.current?.value ?? "";
    if (code.trim() === "") {
      refuse(empty);
      return;
    }

    setFailure(undefined);
    setSubmitting(true);
    try {
      await sendCode({ challenge, code });
    } catch (error) {
      setSubmitting(false);
      const why = errorMessage(error);
      if (why === CHALLENGE_ENDED) onLeave(why);
      else refuse(why);
    }
  }

  return (
    <AuthScreen title="两步验证" description={description}>
      <form noValidate className="grid gap-2" onSubmit={submit}>
        <Field label={label} error={failure} className="min-h-22">
          <Input
            key={way}
            ref={input}
            name="code"
            size="lg"
            autoFocus
            autoCapitalize="none"
            spellCheck={false}
            rewrite={halfWidthCode}
            className="font-mono tracking-wider"
            {...field}
          />
        </Field>
        <Button type="submit" size="lg" className="w-full" loading={isSubmitting}>
          验证并登录
        </Button>
        <div className="flex justify-between gap-2">
          <Button variant="ghost" onClick={() => onLeave()}>
            返回登录
          </Button>
          <Button variant="ghost" onClick={switchWay}>
            {other}
          </Button>
        </div>
        <LostDevice />
      </form>
    </AuthScreen>
  );
}

function LostDevice() {
  return (
    <details className="mt-1 border-t pt-3 text-sm text-muted-foreground">
      <summary className="w-fit cursor-pointer rounded-sm hover:text-foreground">
        丢失设备？
      </summary>
      <ul className="mt-2 grid list-disc gap-1 pl-5">
        <li>换一部装有同一验证器的设备，或使用一个恢复码登录，然后重新开启两步验证。</li>
        <li>恢复码也没有时，请联系超级管理员，在“用户管理”中重置您的两步验证。</li>
      </ul>
    </details>
  );
}
