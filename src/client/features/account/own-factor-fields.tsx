import type { OwnSecondFactorInput } from "@shared/second-factor.ts";
import { useFormContext } from "react-hook-form";
import type { z } from "zod";
import { FormField } from "@/components/form-field";
import { PasswordInput } from "@/components/password-input";
import { CodeInput } from "@/components/second-factor/code-input";

export type OwnFactorValues = z.input<typeof OwnSecondFactorInput>;

export const NO_FACTOR_VALUES: OwnFactorValues = { password: "", code: "" };

/** What a change of a second factor that is on asks for. */
export function OwnFactorFields() {
  const { control } = useFormContext<OwnFactorValues>();
  return (
    <div className="grid gap-4">
      <FormField control={control} name="password" label="当前密码" required>
        {(field) => <PasswordInput {...field} />}
      </FormField>
      <FormField
        control={control}
        name="code"
        label="验证码"
        required
        help="验证器显示的 6 位数字；手机不在身边时，也可以填一个恢复码"
      >
        {(field) => <CodeInput {...field} />}
      </FormField>
    </div>
  );
}
