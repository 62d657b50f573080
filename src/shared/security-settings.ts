import { z } from "zod";
import { ROLES } from "./roles.ts";
import { UserRole } from "./users.ts";

/** What super admins demand of everybody's sign-in. */
export const SecuritySettings = z
  .object({
    secondFactorRequiredRoles: z
      .array(UserRole)
      .describe(
        "必须使用两步验证的角色；这些角色的用户开启之前，只能查询自己、开启两步验证、修改密码和退出",
      ),
  })
  .meta({ id: "SecuritySettings", description: "安全设置，仅超级管理员可用" });
export type SecuritySettings = z.infer<typeof SecuritySettings>;

export const UpdateSecuritySettingsInput = z
  .strictObject({
    secondFactorRequiredRoles: z
      .array(UserRole, "请选择角色")
      .max(ROLES.length, `最多 ${ROLES.length} 个角色`)
      .describe("必须使用两步验证的角色，空数组表示都不要求；重复的算一个"),
  })
  .meta({ id: "UpdateSecuritySettingsInput" });
export type UpdateSecuritySettingsInput = z.infer<typeof UpdateSecuritySettingsInput>;
