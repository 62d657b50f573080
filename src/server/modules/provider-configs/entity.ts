import { defineEntity, type InferEntity } from "@mikro-orm/core";

export const ConfigEntity = defineEntity({
  name: "Config",
  tableName: "configs",
  properties: (p) => ({
    id: p.uuid().primary(),
    name: p.text(),
    publicKey: p.text(),
    /** AES-256-GCM, bound to this table, row and field (platform/secrets.ts). */
    privateKeySealed: p.text().hidden(),
    apiUrl: p.text(),
    defaultRegion: p.text(),
    /** Empty: all projects of the account. */
    projectIds: p.json<string[]>().defaultRaw("'[]'"),
    isDefault: p.boolean().default(false),
    isActive: p.boolean().default(true),
    remark: p.text().nullable(),
    createdAt: p.bigint("number"),
  }),
  indexes: [
    {
      name: "configs_one_default",
      expression:
        "create unique index configs_one_default on configs (is_default) where is_default",
    },
  ],
});
export type ConfigRow = InferEntity<typeof ConfigEntity>;
