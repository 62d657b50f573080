import { defineEntity } from "@mikro-orm/core";

export const SettingsEntity = defineEntity({
  name: "Settings",
  tableName: "settings",
  properties: (p) => ({ id: p.integer().primary(), showNetworkInfoToClient: p.boolean() }),
});
