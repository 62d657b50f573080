import { Eye, EyeOff } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { Input, type InputProps } from "@/components/ui/input";

type PasswordInputProps = Omit<InputProps, "type" | "trailing" | "onKeyDown" | "onKeyUp"> & {
  /** What the toggle shows and hides. */
  secret?: string;
};

/** Show/hide toggle at the right edge, and a hint under the field while caps lock is on. */
export function PasswordInput({ secret = "密码", onBlur, ...rest }: PasswordInputProps) {
  const [isShown, setShown] = useState(false);
  const [hasCapsLock, setCapsLock] = useState(false);
  const readCapsLock = (event: KeyboardEvent<HTMLInputElement>) =>
    setCapsLock(event.getModifierState("CapsLock"));
  const Icon = isShown ? EyeOff : Eye;

  return (
    <div className="grid gap-1.5">
      <Input
        autoComplete="current-password"
        autoCapitalize="none"
        spellCheck={false}
        {...rest}
        type={isShown ? "text" : "password"}
        onKeyDown={readCapsLock}
        onKeyUp={readCapsLock}
        onBlur={(event) => {
          setCapsLock(false);
          onBlur?.(event);
        }}
        trailing={
          <button
            type="button"
            aria-label={`${isShown ? "隐藏" : "显示"}${secret}`}
            aria-pressed={isShown}
            disabled={rest.disabled}
            onClick={() => setShown(!isShown)}
            className="grid size-6.5 place-items-center rounded-sm text-muted-foreground hover:bg-accent hover:text-foreground"
          >
            <Icon className="size-4" />
          </button>
        }
      />
      <p role="status" className="text-xs text-warning-ink empty:hidden">
        {hasCapsLock ? "大写锁定已开启" : null}
      </p>
    </div>
  );
}
