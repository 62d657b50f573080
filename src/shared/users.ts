import { z } from "zod";
import { Note } from "./annotations.ts";
import { Id } from "./ids.ts";
import { PageQuery, Pagination, SortOrder, searchText } from "./page.ts";
import { NewPassword } from "./passwords.ts";
import { ROLE_LABELS } from "./roles.ts";
import { filledText, labelledEnum, limitedText, requiredText, text } from "./text.ts";
import { UnixSeconds } from "./time.ts";

const USERNAME_LENGTH = { min: 3, max: 50 } as const;
/**
 * Something, an @, and something with a dot inside. In one way only: it is also tried on text that
 * is far too long.
 */
const EMAIL = /^[^\s@]+@[^\s@][^\s@.]*\.[^\s@]+$/;

/** ASCII by rule; unique without regard to case. */
export const Username = filledText("用户名")
  .min(USERNAME_LENGTH.min, `用户名至少 ${USERNAME_LENGTH.min} 个字符`)
  .max(USERNAME_LENGTH.max, `用户名最多 ${USERNAME_LENGTH.max} 个字符`)
  .regex(/^[A-Za-z0-9_]+$/, "用户名只能包含字母、数字和下划线")
  .meta({
    description: "用户名：3-50 个字母、数字或下划线，不区分大小写地唯一",
    examples: ["zhang_san"],
  });

const PersonName = requiredText("姓名", 100).meta({ description: "姓名", examples: ["张三"] });

/** An empty text is none. In an update an absent field stays as it is. */
function contact(label: string, written: z.ZodString, wrong: string) {
  return z
    .union([z.literal("").transform(() => null), written], wrong)
    .nullish()
    .describe(`${label}；空字符串与 null 表示没有，修改时不填保持不变`);
}

const WRONG_EMAIL = "邮箱格式不正确";
const WRONG_PHONE = "手机号格式不正确";
const Email = contact(
  "邮箱，例如 zhangsan@example.com",
  limitedText("邮箱", 255).regex(EMAIL, WRONG_EMAIL),
  WRONG_EMAIL,
);
const Phone = contact("11 位大陆手机号", text().regex(/^1[3-9]\d{9}$/, WRONG_PHONE), WRONG_PHONE);

const Name = z.string().meta({ description: "姓名", examples: ["张三"] });
const StoredUsername = z.string().meta({ description: "用户名", examples: ["zhang_san"] });

/** Who started or decided something. */
export const ActorReference = z.object({ id: Id, name: Name });

export const UserReference = z
  .object({ id: Id, name: Name, username: StoredUsername })
  .meta({ id: "UserReference", description: "被引用的用户" });

export const UserRole = labelledEnum("Role", "角色", ROLE_LABELS);

export const User = z
  .object({
    id: Id,
    username: StoredUsername,
    name: Name,
    role: UserRole,
    email: z.string().nullable().describe("邮箱，未设置时为 null"),
    phone: z.string().nullable().describe("手机号，未设置时为 null"),
    isActive: z.boolean().describe("是否启用"),
    adminId: Id.nullable().describe("负责管理员的标识，只用于C端用户"),
    admin: UserReference.nullable().describe("负责该C端用户的管理员，未设置时为 null"),
    createdAt: UnixSeconds.describe("创建时间"),
    mustChangePassword: z.boolean().describe("为 true 时必须先修改密码，其他接口一律返回 403"),
    secondFactorEnabled: z
      .boolean()
      .nullable()
      .describe("是否已开启两步验证；只有超级管理员和用户本人看到，对其他人为 null"),
    note: z
      .string()
      .nullable()
      .describe("内部备注，没有时为 null；只有超级管理员看到，对其他人和用户本人为 null"),
  })
  .meta({ id: "User", description: "用户。任何接口都不返回密码" });
export type User = z.infer<typeof User>;

/** Whom a client asks and pays. */
export const ResponsibleAdmin = UserReference.extend({
  email: z.string().nullable().describe("邮箱，未设置时为 null"),
  phone: z.string().nullable().describe("手机号，未设置时为 null"),
}).meta({ id: "ResponsibleAdmin", description: "负责管理员及其联系方式" });
export type ResponsibleAdmin = z.infer<typeof ResponsibleAdmin>;

/** What users choose for themselves. */
export const Preferences = z
  .object({
    email: z.boolean("请选择是或否").describe("是否把通知也发到自己的邮箱"),
  })
  .meta({ id: "Preferences", description: "自己的偏好", examples: [{ email: true }] });
export type Preferences = z.infer<typeof Preferences>;

/**
 * The caller. Only here, and only to the user itself, it is said what it prefers and whether it must
 * set up a second factor, and to a client how to reach its admin.
 */
export const CurrentUser = User.extend({
  admin: ResponsibleAdmin.nullable().describe("负责该C端用户的管理员及其联系方式，未设置时为 null"),
  preferences: Preferences,
  mustSetUpSecondFactor: z
    .boolean()
    .describe("为 true 时必须先开启两步验证，其他接口一律返回 403 SECOND_FACTOR_REQUIRED"),
}).meta({ id: "CurrentUser", description: "当前登录的用户" });
export type CurrentUser = z.infer<typeof CurrentUser>;

/** A row of the list of users. */
export const ListedUser = User.extend({
  hostCount: z
    .int()
    .meta({ description: "当前分配给该用户的主机数，包括分配已到期的", examples: [3] }),
  nextEnd: UnixSeconds.nullable().describe(
    "该用户当前分配中最早的、尚未过去的到期时间，没有时为 null",
  ),
}).meta({ id: "ListedUser", description: "用户列表中的一行" });
export type ListedUser = z.infer<typeof ListedUser>;

export const USER_SORT_LABELS = {
  createdAt: "创建时间",
  name: "姓名",
  hostCount: "主机数",
  nextEnd: "下次到期",
} as const;
export const UserSort = labelledEnum(
  "UserSort",
  "排序字段；主机数、下次到期相同的按姓名排列",
  USER_SORT_LABELS,
  "不支持按该字段排序",
);
export type UserSort = z.infer<typeof UserSort>;

/** What a list and its export are narrowed to, and in which order. */
const USER_FILTERS = {
  role: UserRole.optional(),
  isActive: z.boolean().optional().describe("true 只看启用的用户，false 只看停用的用户"),
  adminId: Id.optional().describe("只看该管理员负责的C端用户，仅超级管理员可用"),
  secondFactorEnabled: z
    .boolean()
    .optional()
    .describe("true 只看已开启两步验证的用户，false 只看没有开启的，仅超级管理员可用"),
  search: searchText("用户名、姓名、邮箱、手机号"),
  sort: UserSort.default("createdAt"),
  order: SortOrder.optional().describe(
    "排序方向：asc 升序、desc 降序；不填时创建时间从新到旧，其他升序",
  ),
};

export const ListUsersInput = z
  .strictObject({ ...PageQuery.shape, ...USER_FILTERS })
  .prefault({})
  .meta({ id: "ListUsersInput" });
export type ListUsersInput = z.infer<typeof ListUsersInput>;

export const ExportUsersInput = z
  .strictObject(USER_FILTERS)
  .prefault({})
  .meta({ id: "ExportUsersInput" });
export type ExportUsersInput = z.infer<typeof ExportUsersInput>;

export const UserList = z
  .object({ users: z.array(ListedUser).describe("用户列表"), pagination: Pagination })
  .meta({ id: "UserList", description: "一页用户" });
export type UserList = z.infer<typeof UserList>;

/** Super admins are never made by a call. */
export const CreateUserInput = z
  .strictObject({
    username: Username,
    password: NewPassword,
    name: PersonName,
    role: z
      .enum(["admin", "client"], "角色只能是管理员或C端用户")
      .meta({ description: "角色：admin 管理员、client C端用户", examples: ["client"] }),
    email: Email,
    phone: Phone,
    adminId: Id.nullish().describe("负责管理员的标识，只用于C端用户"),
  })
  .meta({ id: "CreateUserInput" });
export type CreateUserInput = z.infer<typeof CreateUserInput>;

/**
 * What may change of a user. An absent field stays as it is; null (or an empty text) unsets email,
 * phone, adminId and note.
 */
export const UpdateUserInput = z
  .strictObject({
    id: Id.describe("标识"),
    name: PersonName.optional(),
    email: Email,
    phone: Phone,
    isActive: z.boolean("请选择启用或停用").optional().describe("是否启用"),
    adminId: Id.nullish().describe("负责管理员的标识，只用于C端用户；null 表示取消"),
    note: Note,
  })
  .meta({ id: "UpdateUserInput" });
export type UpdateUserInput = z.infer<typeof UpdateUserInput>;

/** The user must change it at the next sign-in. */
export const ResetPasswordResult = z
  .object({
    newPassword: z
      .string()
      .meta({ description: "新的随机密码，只显示这一次", examples: ["mK7vQ2xTpR9wLd4s"] }),
  })
  .meta({ id: "ResetPasswordResult", description: "重置后的密码" });
export type ResetPasswordResult = z.infer<typeof ResetPasswordResult>;
