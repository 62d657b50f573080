import { defineEntity, type InferEntity } from "@mikro-orm/core";
import type { Role } from "../../../shared/roles.ts";

export const UserEntity = defineEntity({
  name: "User",
  tableName: "users",
  properties: (p) => ({
    id: p.uuid().primary(),
    username: p.text(),
    passwordHash: p.text().lazy().hidden(),
    name: p.text(),
    role: p.text().$type<Role>(),
    email: p.text().nullable(),
    phone: p.text().nullable(),
    isActive: p.boolean().default(true),
    admin: () => p.manyToOne(UserEntity).nullable(),
    mustChangePassword: p.boolean().default(false),
    /** Whether it wants notices by e-mail, too. */
    emailNotices: p.boolean().default(true),
    /** What super admins write for each other. */
    note: p.text().nullable(),
    createdAt: p.bigint("number"),
  }),
  indexes: [
    {
      name: "users_username_key",
      expression: "create unique index users_username_key on users (lower(username))",
    },
    { name: "users_admin_id", properties: "admin" },
  ],
  checks: [
    { name: "users_role_check", expression: "role in ('super_admin', 'admin', 'client')" },
    { name: "users_check", expression: "admin_id is null or role = 'client'" },
  ],
});
export type UserRow = InferEntity<typeof UserEntity>;
