import { z } from "zod";
import { Id } from "./ids.ts";
import { PageQuery, Pagination, SearchText } from "./page.ts";
import { NewPassword } from "./passwords.ts";
import { Role } from "./roles.ts";
import { filledText, limitedText, requiredText, text } from "./text.ts";
import { UnixSeconds } from "./time.ts";

export const USERNAME_LENGTH = { min: 3, max: 50 } as const;
export const NAME_MAX = 100;
const EMAIL_MAX = 255;
/** Something, an @, and something with a dot inside. In one way only: it is also tried on text that is far too long. */
const EMAIL = /^[^\s@]+@[^\s@][^\s@.]*\.[^\s@]+$/;

/** ASCII by rule; unique without regard to case. */
export const Username = filledText("用户名")
  .min(USERNAME_LENGTH.min, `用户名至少${USERNAME_LENGTH.min}个字符`)
  .max(USERNAME_LENGTH.max, `用户名最多${USERNAME_LENGTH.max}个字符`)
  .regex(/^[A-Za-z0-9_]+$/, "用户名只能包含字母、数字和下划线");

export const PersonName = requiredText("姓名", NAME_MAX);

/** An empty string and null both mean "no address". */
export const Email = z
  .union(
    [z.literal("").transform(() => null), limitedText("邮箱", EMAIL_MAX).regex(EMAIL, "邮箱格式不正确")],
    "邮箱格式不正确",
  )
  .nullish();

/** Mainland mobile number; an empty string and null both mean "no phone". */
export const Phone = z
  .union([z.literal("").transform(() => null), text().regex(/^1[3-9]\d{9}$/, "手机号格式不正确")], "手机号格式不正确")
  .nullish();

/** The person behind another row: who is responsible, who processed. */
export const UserReference = z.object({ id: Id, name: z.string(), username: z.string() });
export type UserReference = z.infer<typeof UserReference>;

export const User = z.object({
  id: Id,
  username: z.string(),
  name: z.string(),
  role: Role,
  email: z.string().nullable(),
  phone: z.string().nullable(),
  isActive: z.boolean(),
  adminId: Id.nullable(),
  admin: UserReference.nullable(),
  createdAt: UnixSeconds,
  mustChangePassword: z.boolean(),
});
export type User = z.infer<typeof User>;

export const ListUsersInput = z
  .strictObject({
    ...PageQuery.shape,
    role: Role.optional(),
    search: SearchText,
  })
  .prefault({});
export type ListUsersInput = z.infer<typeof ListUsersInput>;

export const UserList = z.object({ users: z.array(User), pagination: Pagination });
export type UserList = z.infer<typeof UserList>;

/** Super admins are never made by a call. `adminId` only for a client: an active admin's id, checked by the server. */
export const CreateUserInput = z.strictObject({
  username: Username,
  password: NewPassword,
  name: PersonName,
  role: z.enum(["admin", "client"], "角色只能是管理员或C端用户"),
  email: Email,
  phone: Phone,
  adminId: Id.nullish(),
});
export type CreateUserInput = z.infer<typeof CreateUserInput>;

/** What may change of a user. An absent field stays as it is; null (or an empty text) unsets email, phone and adminId. */
export const UpdateUserInput = z.strictObject({
  id: Id,
  name: PersonName.optional(),
  email: Email,
  phone: Phone,
  isActive: z.boolean("请选择启用或停用").optional(),
  adminId: Id.nullish(),
});
export type UpdateUserInput = z.infer<typeof UpdateUserInput>;

/** Shown once; the user must change it at the next sign-in. */
export const ResetPasswordResult = z.object({ newPassword: z.string() });
export type ResetPasswordResult = z.infer<typeof ResetPasswordResult>;
