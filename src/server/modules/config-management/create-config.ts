import { v7 as newId } from "uuid";
import {
  type Config,
  type CreateConfigInput,
  DEFAULT_SYNC_INTERVAL,
} from "../../../shared/configs.ts";
import { fenOf } from "../../../shared/money.ts";
import { takeAdvisoryLock } from "../../platform/database/sql.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { fieldChanges } from "../audit-records/field-changes.ts";
import { recordAudit } from "../audit-records/record-audit.ts";
import { assertCallable } from "../provider-configs/connect-provider.ts";
import { sealPrivateKey } from "../provider-configs/credentials.ts";
import { ConfigEntity } from "../provider-configs/entity.ts";
import { publishConfigsChanged } from "../provider-configs/events.ts";
import { auditedFields } from "./audited-fields.ts";
import { unsetDefault } from "./default-config.ts";
import type { ConfigsDeps } from "./deps.ts";
import { getConfig } from "./queries.ts";

/**
 * The first configuration becomes the default, requested or not. One whose input names no interval
 * is synced every hour.
 */
export async function createConfig(deps: ConfigsDeps, input: CreateConfigInput): Promise<Config> {
  await assertCallable(deps, input.apiUrl);
  const id = newId();
  const privateKeySealed = sealPrivateKey(deps, id, input.privateKey);

  return await inTransaction(deps, async (em) => {
    await takeAdvisoryLock(em, "defaultConfig");
    const isFirst = (await em.count(ConfigEntity, { isDefault: true })) === 0;
    const isDefault = input.isDefault === true || isFirst;
    const createdAt = deps.clock.now();
    const formerDefaultIds = isDefault ? await unsetDefault({ ...deps, em }, createdAt) : [];

    const { syncIntervalMinutes = DEFAULT_SYNC_INTERVAL } = input;
    const isScheduled = syncIntervalMinutes !== null;
    const config = {
      id,
      name: input.name,
      publicKey: input.publicKey,
      privateKeySealed,
      apiUrl: input.apiUrl,
      defaultRegion: input.defaultRegion,
      projectIds: input.projectIds ?? [],
      isDefault,
      isActive: input.isActive ?? true,
      remark: input.remark || null,
      createdAt,
      balanceAlertFen: input.balanceAlert == null ? null : fenOf(input.balanceAlert),
      syncIntervalMinutes,
      scheduleChosenAt: isScheduled ? await deps.databaseClock.now(em) : null,
    };
    await em.insert(ConfigEntity, config);

    const record = {
      action: "configs.create",
      subject: { type: "config", id, label: config.name },
      changes: fieldChanges(null, auditedFields(config)),
    } as const;
    await recordAudit({ ...deps, em }, record, createdAt);
    await publishConfigsChanged(em, [...formerDefaultIds, id], createdAt);
    return await getConfig({ ...deps, em }, { id });
  });
}
