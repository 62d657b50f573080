import { z } from "zod";
import { NewPassword } from "./passwords.ts";
import { text } from "./text.ts";
import { User } from "./users.ts";

export const LoginInput = z.strictObject({
  username: text().min(1, "用户名不能为空"),
  password: text().min(1, "密码不能为空"),
});
export type LoginInput = z.infer<typeof LoginInput>;

/** `token` is opaque; it is sent as `Authorization: Bearer <token>`. */
export const SignIn = z.object({ token: z.string(), user: User });
export type SignIn = z.infer<typeof SignIn>;

export const ChangePasswordInput = z.strictObject({
  currentPassword: text().min(1, "当前密码不能为空"),
  newPassword: NewPassword,
});
export type ChangePasswordInput = z.infer<typeof ChangePasswordInput>;
