import { v7 as newId } from "uuid";
import {
  type Config,
  type CreateConfigInput,
  DEFAULT_SYNC_INTERVAL,
} from "../../../shared/configs.ts";
import { fenOf } from "../../../shared/money.ts";
import { takeAdvisoryLock } from "../../platform/database/sql.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { assertCallable } from "../provider-configs/connect-provider.ts";
import { sealPrivateKey } from "../provider-configs/credentials.ts";
import { ConfigEntity } from "../provider-configs/entity.ts";
import { publishConfigsChanged } from "../provider-configs/events.ts";
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
    const formerDefaultIds = isDefault ? await unsetDefault(em) : [];

    const createdAt = deps.clock.now();
    const { syncIntervalMinutes = DEFAULT_SYNC_INTERVAL } = input;
    const isScheduled = syncIntervalMinutes !== null;
    await em.insert(ConfigEntity, {
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
    });
    await publishConfigsChanged(em, [...formerDefaultIds, id], createdAt);
    return await getConfig({ ...deps, em }, { id });
  });
}
