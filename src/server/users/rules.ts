import type { Role } from "../../shared/roles.ts";
import { AppError, invalidField } from "../core/errors.ts";

/** Rows that are missing and rows of somebody else are this same failure. */
export function userNotFound(): AppError {
  return new AppError("NOT_FOUND", "用户不存在");
}

export function usernameTaken(): AppError {
  return new AppError("CONFLICT", "用户名已存在");
}

/** Who may have a responsible admin at all. Whether the id is an active admin's only the database knows. */
export function assertMayHaveAdmin(role: Role, adminId: string | null | undefined): void {
  if (role !== "client" && typeof adminId === "string") throw invalidField("adminId", "只有C端用户可以设置负责管理员");
}

export function assertNotSelf(callerId: string, userId: string, sentence: string): void {
  if (callerId === userId) throw new AppError("CONFLICT", sentence);
}
