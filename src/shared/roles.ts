import { z } from "zod";

export const Role = z
  .enum(["super_admin", "admin", "client"])
  .meta({ id: "Role", description: "角色：super_admin 超级管理员、admin 管理员、client C端用户" });
export type Role = z.infer<typeof Role>;

export * from "./permissions.ts";
