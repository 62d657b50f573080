import { defineEntity } from "@mikro-orm/core";
import type { Role } from "../../../shared/roles.ts";

export const SettingsEntity = defineEntity({
  name: "Settings",
  tableName: "settings",
  properties: (p) => ({
    id: p.integer().primary().autoincrement(false),
    showNetworkInfoToClient: p.boolean(),
    /** A security setting, which only super admins read (auth/security-settings.ts). */
    secondFactorRequiredRoles: p.array<Role>().default([]),
  }),
  checks: [{ name: "settings_id_check", expression: "id = 1" }],
});
