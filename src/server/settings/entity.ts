import { defineEntity } from "@mikro-orm/core";
import type { InferKyselyTable } from "@mikro-orm/postgresql";

/** The one row of settings, id 1. */
export const SettingsEntity = defineEntity({
  name: "Settings",
  tableName: "settings",
  properties: (p) => ({
    id: p.integer().primary(),
    showNetworkInfoToClient: p.boolean(),
  }),
});
export interface SettingsTables {
  settings: InferKyselyTable<typeof SettingsEntity>;
}
