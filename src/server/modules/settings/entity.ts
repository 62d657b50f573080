import { defineEntity } from "@mikro-orm/core";

export const SettingsEntity = defineEntity({
  name: "Settings",
  tableName: "settings",
  properties: (p) => ({
    id: p.integer().primary().autoincrement(false),
    showNetworkInfoToClient: p.boolean(),
  }),
  checks: [{ name: "settings_id_check", expression: "id = 1" }],
});
