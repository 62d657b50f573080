import { v7 as newId } from "uuid";
import type { Config, CreateConfigInput } from "../../../shared/configs.ts";
import { takeAdvisoryLock } from "../../platform/database/sql.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import type { Deps } from "../../platform/deps.ts";
import { assertCallable } from "./connect-provider.ts";
import { sealPrivateKey } from "./credentials.ts";
import { ConfigEntity } from "./entity.ts";
import { getConfig } from "./queries.ts";

type CreateDeps = Pick<Deps, "em" | "bus" | "clock" | "secrets" | "outbound">;

/** The first configuration becomes the default, requested or not. */
export async function createConfig(deps: CreateDeps, input: CreateConfigInput): Promise<Config> {
  const { name, publicKey, apiUrl, defaultRegion, projectIds = [], isActive = true } = input;
  await assertCallable(deps, apiUrl);
  const id = newId();
  const privateKeySealed = sealPrivateKey(deps, id, input.privateKey);
  const remark = input.remark || null;
  return await inTransaction(deps, async (em) => {
    await takeAdvisoryLock(em, "defaultConfig");
    const isDefault =
      input.isDefault === true || (await em.count(ConfigEntity, { isDefault: true })) === 0;
    if (isDefault) await em.nativeUpdate(ConfigEntity, { isDefault: true }, { isDefault: false });
    const connection = { publicKey, privateKeySealed, apiUrl, defaultRegion, projectIds };
    const createdAt = deps.clock.now();
    await em.insert(ConfigEntity, {
      id,
      name,
      ...connection,
      isDefault,
      isActive,
      remark,
      createdAt,
    });
    return await getConfig(em, id);
  });
}
