import { z } from "zod";
import { Id } from "./ids.ts";
import { NewPassword } from "./passwords.ts";
import { filledText } from "./text.ts";
import { UnixSeconds } from "./time.ts";
import { User } from "./users.ts";

export const LoginInput = z.strictObject({
  username: filledText("用户名"),
  password: filledText("密码"),
});
export type LoginInput = z.infer<typeof LoginInput>;

/** `token` is opaque; it is sent as `Authorization: Bearer <token>`. */
export const SignIn = z.object({ token: z.string(), user: User });
export type SignIn = z.infer<typeof SignIn>;

export const ChangePasswordInput = z.strictObject({
  currentPassword: filledText("当前密码"),
  newPassword: NewPassword,
});
export type ChangePasswordInput = z.infer<typeof ChangePasswordInput>;

/** A sign-in of the caller that is still alive. `ip` and `userAgent` are those of the sign-in or of its last refresh. */
export const OwnSession = z.object({
  id: Id,
  createdAt: UnixSeconds,
  /** To the minute: not every call is noted. */
  lastSeenAt: UnixSeconds,
  /** The absolute end; without a call it ends earlier. */
  expiresAt: UnixSeconds,
  ip: z.string(),
  userAgent: z.string(),
  isCurrent: z.boolean(),
});
export type OwnSession = z.infer<typeof OwnSession>;

export const EndedSessions = z.object({ ended: z.int() });
export type EndedSessions = z.infer<typeof EndedSessions>;
