import { defineEntity } from "@mikro-orm/core";

/** The only row has id 1; the first migration inserts it. */
export const SettingsEntity = defineEntity({
  name: "Settings",
  tableName: "settings",
  properties: (p) => ({ id: p.integer().primary(), showNetworkInfoToClient: p.boolean() }),
});
