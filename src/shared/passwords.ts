import { filledText } from "./text.ts";

export const PASSWORD_LENGTH = { min: 8, max: 128 } as const;

/** What a new password must hold, in the order shown while typing. */
export const PASSWORD_RULES = [
  {
    label: `${PASSWORD_LENGTH.min}-${PASSWORD_LENGTH.max} 个字符`,
    message: `密码长度必须为 ${PASSWORD_LENGTH.min}-${PASSWORD_LENGTH.max} 个字符`,
    holds(password: string) {
      const { length } = [...password];
      return length >= PASSWORD_LENGTH.min && length <= PASSWORD_LENGTH.max;
    },
  },
  {
    label: "至少一个小写字母",
    message: "密码必须包含至少一个小写字母",
    holds: (password: string) => /[a-z]/.test(password),
  },
  {
    label: "至少一个大写字母",
    message: "密码必须包含至少一个大写字母",
    holds: (password: string) => /[A-Z]/.test(password),
  },
  {
    label: "至少一个数字",
    message: "密码必须包含至少一个数字",
    holds: (password: string) => /\d/.test(password),
  },
] as const;

/** A password as it may be set. Compared exactly, never trimmed or truncated. */
export const NewPassword = filledText("密码")
  .superRefine((password, context) => {
    for (const rule of PASSWORD_RULES) {
      if (!rule.holds(password)) context.addIssue({ code: "custom", message: rule.message });
    }
  })
  .meta({
    description:
      "新密码：8-128 个字符，至少包含一个小写字母、一个大写字母和一个数字，不能是常见密码",
    examples: ["Better2Battery"],
    // The rules above in the terms of JSON schema.
    minLength: PASSWORD_LENGTH.min,
    maxLength: PASSWORD_LENGTH.max,
    pattern: "^(?=.*[a-z])(?=.*[A-Z])(?=.*\\d)",
    format: "password",
  });
