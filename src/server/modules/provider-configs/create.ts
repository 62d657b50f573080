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
  await assertCallable(deps, input.apiUrl);
  const id = newId();
  const privateKeySealed = sealPrivateKey(deps, id, input.privateKey);

  return await inTransaction(deps, async (em) => {
    await takeAdvisoryLock(em, "defaultConfig");
    const isFirst = (await em.count(ConfigEntity, { isDefault: true })) === 0;
    const isDefault = input.isDefault === true || isFirst;
    if (isDefault) await em.nativeUpdate(ConfigEntity, { isDefault: true }, { isDefault: false });

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
      createdAt: deps.clock.now(),
    });
    return await getConfig({ em }, { id });
  });
}
