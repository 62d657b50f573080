import { yuanOf } from "../../../shared/money.ts";
import type { Fields } from "../audit-records/field-changes.ts";
import type { ConfigRow } from "../provider-configs/entity.ts";

type AuditedConfig = Pick<
  ConfigRow,
  | "name"
  | "publicKey"
  | "privateKeySealed"
  | "apiUrl"
  | "defaultRegion"
  | "projectIds"
  | "isDefault"
  | "isActive"
  | "remark"
  | "syncIntervalMinutes"
  | "balanceAlertFen"
>;

/** What the audit log compares. Of the keys an entry says only that they changed. */
export function auditedFields(config: AuditedConfig): Fields {
  const { balanceAlertFen: alert } = config;
  return {
    name: config.name,
    publicKey: config.publicKey,
    privateKey: config.privateKeySealed,
    apiUrl: config.apiUrl,
    defaultRegion: config.defaultRegion,
    projectIds: config.projectIds,
    isDefault: config.isDefault,
    isActive: config.isActive,
    remark: config.remark,
    syncIntervalMinutes: config.syncIntervalMinutes,
    balanceAlert: typeof alert === "number" ? yuanOf(alert) : null,
  };
}
