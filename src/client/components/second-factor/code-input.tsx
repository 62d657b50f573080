import { Input, type InputProps } from "@/components/ui/input";
import { halfWidthCode } from "@/lib/half-width";

type CodeInputProps = Omit<InputProps, "inputMode" | "autoComplete" | "rewrite">;

/** A code of the authenticator, as it is read off or pasted. */
export function CodeInput(props: CodeInputProps) {
  return (
    <Input
      {...props}
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      rewrite={halfWidthCode}
      className="font-mono tracking-wider"
    />
  );
}
