import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { type SqlBool, sql } from "kysely";
import type { Config, CreateConfigInput, UpdateConfigInput } from "../../shared/configs.ts";
import type { Deps } from "../core/deps.ts";
import { AppError, invalidField } from "../core/errors.ts";
import { newId } from "../core/ids.ts";
import { takeAdvisoryLock } from "../database/sql.ts";
import { inTransaction } from "../database/transaction.ts";
import { releaseHosts } from "../hosts/release.ts";
import { countEndedRuns, endRuns, lockLiveRun } from "../sync/end-run.ts";
import { sealPrivateKey } from "./credentials.ts";
import { ConfigEntity } from "./entity.ts";
import { configNotFound, getConfig } from "./queries.ts";

type SaveDeps = Pick<Deps, "em" | "bus" | "clock" | "secrets" | "outbound">;

/** The first configuration becomes the default, requested or not. */
export async function createConfig(deps: SaveDeps, input: CreateConfigInput): Promise<Config> {
  const { name, publicKey, apiUrl, defaultRegion, projectIds = [], isActive = true } = input;
  await assertCallable(deps, apiUrl);
  const id = newId();
  const privateKeySealed = sealPrivateKey(deps, id, input.privateKey);
  const remark = input.remark || null;
  return await inTransaction(deps, async (em) => {
    await takeAdvisoryLock(em, "defaultConfig");
    const isDefault = input.isDefault === true || (await em.count(ConfigEntity, { isDefault: true })) === 0;
    if (isDefault) await clearDefault(em);
    const connection = { publicKey, privateKeySealed, apiUrl, defaultRegion, projectIds };
    await em.insert(ConfigEntity, {
      id,
      name,
      ...connection,
      isDefault,
      isActive,
      remark,
      createdAt: deps.clock.now(),
    });
    return await getConfig(em, id);
  });
}

/** Absent fields and blank keys stay. Projects left out release their hosts; that, or switching off, cancels the live run. */
export async function updateConfig(
  deps: SaveDeps & Pick<Deps, "metrics">,
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
    if (fields.isDefault === true && !config.isDefault) await clearDefault(em);
    const isSwitchedOff = config.isActive && fields.isActive === false;
    const projectIds = fields.projectIds ?? [];
    const former = config.projectIds;
    const isNarrowed =
      projectIds.length > 0 && (former.length === 0 || former.some((each) => !projectIds.includes(each)));
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

async function assertCallable({ outbound }: Pick<Deps, "outbound">, apiUrl: string): Promise<void> {
  const verdict = await outbound.checkUrl(apiUrl);
  if (!verdict.ok) throw invalidField("apiUrl", verdict.message);
}

async function clearDefault(em: SqlEntityManager): Promise<void> {
  await em.nativeUpdate(ConfigEntity, { isDefault: true }, { isDefault: false });
}
