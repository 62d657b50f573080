import { type SqlBool, sql } from "kysely";
import type { Config, UpdateConfigInput } from "../../../shared/configs.ts";
import { takeAdvisoryLock } from "../../platform/database/sql.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import type { Deps } from "../../platform/deps.ts";
import { AppError } from "../../platform/errors.ts";
import { releaseHosts } from "../hosts/release.ts";
import { countEndedRuns, endRuns, lockLiveRun } from "../sync/end-run.ts";
import { assertCallable } from "./connect-provider.ts";
import { sealPrivateKey } from "./credentials.ts";
import { ConfigEntity } from "./entity.ts";
import { configNotFound, getConfig } from "./queries.ts";

type UpdateDeps = Pick<Deps, "em" | "bus" | "clock" | "secrets" | "outbound" | "metrics">;

/** Absent fields and blank keys stay. Projects left out release their hosts; that, or switching off, cancels the live run. */
export async function updateConfig(
  deps: UpdateDeps,
  { id, publicKey, privateKey, remark, ...fields }: UpdateConfigInput,
): Promise<Config> {
  if (fields.apiUrl !== undefined) await assertCallable(deps, fields.apiUrl);
  const at = deps.clock.now();
  const { config, ended } = await inTransaction(deps, async (em) => {
    await takeAdvisoryLock(em, "defaultConfig");
    const config = await em.findOneOrFail(ConfigEntity, { id }, { failHandler: configNotFound });
    if (fields.isDefault === false && config.isDefault) {
      throw new AppError("STATE_CONFLICT", "不能直接取消默认配置，请把另一个配置设为默认");
    }
    if (fields.isDefault === true && !config.isDefault) {
      await em.nativeUpdate(ConfigEntity, { isDefault: true }, { isDefault: false });
    }
    const isSwitchedOff = config.isActive && fields.isActive === false;
    const projectIds = fields.projectIds ?? [];
    const former = config.projectIds;
    const isNarrowed =
      projectIds.length > 0 &&
      (former.length === 0 || former.some((each) => !projectIds.includes(each)));
    config.name = fields.name ?? config.name;
    config.publicKey = publicKey || config.publicKey;
    if (privateKey) config.privateKeySealed = sealPrivateKey(deps, id, privateKey);
    config.apiUrl = fields.apiUrl ?? config.apiUrl;
    config.defaultRegion = fields.defaultRegion ?? config.defaultRegion;
    config.projectIds = fields.projectIds ?? config.projectIds;
    config.isDefault = fields.isDefault ?? config.isDefault;
    config.isActive = fields.isActive ?? config.isActive;
    if (remark !== undefined) config.remark = remark || null;
    await em.flush();
    if (isNarrowed) {
      await lockLiveRun(em, id);
      await releaseHosts(em, { configId: id, exceptProjectIds: projectIds, at });
    }
    const end = { where: sql<SqlBool>`config_id = ${id}`, status: "cancelled", at } as const;
    // A run that reads the former projects would bring their hosts back.
    const ended = isSwitchedOff || isNarrowed ? await endRuns(em, end) : [];
    return { config: await getConfig(em, id), ended };
  });
  countEndedRuns(deps, ended);
  return config;
}
