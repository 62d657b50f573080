import { defineEntity, type InferEntity } from "@mikro-orm/core";
import type { Role } from "../../shared/roles.ts";

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
    isActive: p.boolean(),
    admin: () => p.manyToOne(UserEntity).nullable(),
    mustChangePassword: p.boolean(),
    createdAt: p.bigint("number"),
  }),
});
export type UserRow = InferEntity<typeof UserEntity>;
