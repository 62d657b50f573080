import { z } from "zod";
import { filledText } from "./text.ts";
import { UnixSeconds } from "./time.ts";

const CODE_MAX = 100;
const SEPARATORS = /[\s\p{Pd}\u2212]/gu;

/**
 * A code as people read it off or paste it: without blanks and hyphens, with half-width digits, in
 * capitals.
 */
function normalizeCode(typed: string): string {
  return typed.normalize("NFKC").replace(SEPARATORS, "").toUpperCase();
}

const Code = filledText("验证码")
  .max(CODE_MAX, `验证码最多 ${CODE_MAX} 个字符`)
  .overwrite(normalizeCode)
  .refine((code) => code !== "", "验证码不能为空")
  .meta({
    description:
      "验证器显示的 6 位验证码，或一个未使用过的恢复码；空白与连字符会去掉，全角字符当作半角",
    examples: ["123 456"],
  });

const OwnPassword = filledText("密码").meta({
  description: "自己的密码",
  examples: ["Correct1Horse"],
});

/** What a sign-in answers whose password was right, and which needs a code as well. */
export const SecondFactorChallenge = z
  .object({
    secondFactor: z
      .object({
        challenge: z.string().meta({
          description: "与验证码一起发送到 `/api/auth/second-factor`",
          examples: ["q3Zk0V8cWm5u1xJp7oYtB2fGhR9sLdNeAiKvXyTzQwE"],
        }),
        expiresAt: UnixSeconds.describe("此后必须重新登录"),
      })
      .describe("等待验证码的登录"),
  })
  .meta({ id: "SecondFactorChallenge", description: "密码正确，还需要验证码才能完成登录" });
export type SecondFactorChallenge = z.infer<typeof SecondFactorChallenge>;

export const SecondFactorInput = z
  .strictObject({
    challenge: filledText("登录验证").meta({
      description: "登录接口返回的 `challenge`",
      examples: ["q3Zk0V8cWm5u1xJp7oYtB2fGhR9sLdNeAiKvXyTzQwE"],
    }),
    code: Code,
  })
  .meta({ id: "SecondFactorInput" });
export type SecondFactorInput = z.infer<typeof SecondFactorInput>;

export const SetUpTotpInput = z
  .strictObject({ password: OwnPassword })
  .meta({ id: "SetUpTotpInput" });
export type SetUpTotpInput = z.infer<typeof SetUpTotpInput>;

export const TotpSetUp = z
  .object({
    secret: z.string().meta({
      description: "验证器的密钥（Base32），只显示这一次",
      examples: ["JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"],
    }),
    otpauthUrl: z.string().meta({
      description: "同一密钥的 `otpauth://` 地址，用来生成二维码",
      examples: ["otpauth://totp/HostConsole:admin?secret=JBSWY3DPEHPK3PXP"],
    }),
  })
  .meta({ id: "TotpSetUp", description: "验证器的密钥；确认之前两步验证尚未开启" });
export type TotpSetUp = z.infer<typeof TotpSetUp>;

export const ConfirmTotpInput = z.strictObject({ code: Code }).meta({ id: "ConfirmTotpInput" });
export type ConfirmTotpInput = z.infer<typeof ConfirmTotpInput>;

/** For changes of a second factor that is on. */
export const OwnSecondFactorInput = z
  .strictObject({ password: OwnPassword, code: Code })
  .meta({ id: "OwnSecondFactorInput" });
export type OwnSecondFactorInput = z.infer<typeof OwnSecondFactorInput>;

export const RecoveryCodes = z
  .object({
    recoveryCodes: z
      .array(z.string())
      .meta({ description: "恢复码，每个只能使用一次", examples: [["7K2M-QX4P-9DWH-3RTF"]] }),
  })
  .meta({ id: "RecoveryCodes", description: "恢复码，只显示这一次" });
export type RecoveryCodes = z.infer<typeof RecoveryCodes>;
