import { z } from "zod";
import { Id } from "./ids.ts";
import { NewPassword } from "./passwords.ts";
import { SecondFactorChallenge } from "./second-factor.ts";
import { filledText, trimmedText } from "./text.ts";
import { UnixSeconds } from "./time.ts";
import { Preferences, User } from "./users.ts";

const USERNAME_MISSING = "用户名不能为空";

export const LoginInput = z
  .strictObject({
    username: trimmedText(USERNAME_MISSING)
      .min(1, USERNAME_MISSING)
      .meta({ description: "用户名，首尾空白会去掉", examples: ["admin"] }),
    password: filledText("密码").meta({ description: "密码", examples: ["Correct1Horse"] }),
  })
  .meta({ id: "LoginInput" });
export type LoginInput = z.infer<typeof LoginInput>;

export const SignIn = z
  .object({
    token: z.string().meta({
      description: "登录令牌，以 `Authorization: Bearer <token>` 发送",
      examples: ["q3Zk0V8cWm5u1xJp7oYtB2fGhR9sLdNeAiKvXyTzQwE"],
    }),
    user: User,
  })
  .meta({ id: "SignIn", description: "登录成功后的令牌与用户" });
export type SignIn = z.infer<typeof SignIn>;

/** What `auth.login` answers: a session, or the challenge of an account with a second factor. */
export const LoginAnswer = z
  .union([SignIn, SecondFactorChallenge])
  .meta({ id: "LoginAnswer", description: "登录成功，或还需要验证码" });
export type LoginAnswer = z.infer<typeof LoginAnswer>;

export const ChangePasswordInput = z
  .strictObject({
    currentPassword: filledText("当前密码").meta({
      description: "当前密码",
      examples: ["Correct1Horse"],
    }),
    newPassword: NewPassword,
  })
  .refine(({ currentPassword, newPassword }) => newPassword !== currentPassword, {
    path: ["newPassword"],
    error: "新密码不能与当前密码相同",
  })
  .meta({ id: "ChangePasswordInput" });
export type ChangePasswordInput = z.infer<typeof ChangePasswordInput>;

export const UpdatePreferencesInput = z
  .strictObject(Preferences.shape)
  .meta({ id: "UpdatePreferencesInput" });
export type UpdatePreferencesInput = z.infer<typeof UpdatePreferencesInput>;

export const OwnSession = z
  .object({
    id: Id,
    createdAt: UnixSeconds.describe("登录时间"),
    lastSeenAt: UnixSeconds.describe("最近活动时间，精确到分钟"),
    expiresAt: UnixSeconds.describe("最晚的失效时间；长时间没有活动时会更早失效"),
    ip: z
      .string()
      .meta({ description: "登录或最近一次更换令牌时的 IP 地址", examples: ["203.0.113.7"] }),
    userAgent: z.string().describe("登录或最近一次更换令牌时浏览器或程序的标识，最多 200 个字符"),
    isCurrent: z.boolean().describe("是否为当前会话"),
  })
  .meta({ id: "OwnSession", description: "自己的一次仍然有效的登录" });
export type OwnSession = z.infer<typeof OwnSession>;

export const EndedSessions = z
  .object({ ended: z.int().describe("结束的会话数") })
  .meta({ id: "EndedSessions", description: "结束的登录会话数" });
export type EndedSessions = z.infer<typeof EndedSessions>;
