import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { Config, CreateConfigInput, UpdateConfigInput } from "../../shared/configs.ts";
import type { Deps } from "../core/deps.ts";
import { AppError, invalidField } from "../core/errors.ts";
import { newId } from "../core/ids.ts";
import type { SecretPlace } from "../core/secrets.ts";
import { StartError } from "../core/start-error.ts";
import { inTransaction } from "../database/transaction.ts";
import { lockDefault } from "./default-lock.ts";
import { ConfigEntity, type ConfigRow } from "./entity.ts";
import { selectConfigs } from "./queries.ts";
import { presentConfig } from "./rules.ts";

export const CONFIG_NOT_FOUND = "配置不存在或已被删除";
/** What is needed to call the provider in the name of a configuration. No `projectIds` = every project that the key can list. */
export interface Credentials {
  readonly apiUrl: string;
  readonly publicKey: string;
  readonly privateKey: string;
  readonly defaultRegion: string;
  readonly projectIds: readonly string[];
}

type SaveDeps = Pick<Deps, "em" | "bus" | "clock" | "secrets" | "outbound">;

export async function listConfigs({ em }: Pick<Deps, "em">): Promise<Config[]> {
  return (await selectConfigs(em)).map(presentConfig);
}

/** The first configuration becomes the default, asked for or not. */
export async function createConfig(deps: SaveDeps, input: CreateConfigInput): Promise<Config> {
  await assertCallable(deps, input.apiUrl);
  const id = newId();
  return await inTransaction(deps, async (em) => {
    const hasDefault = await lockDefault(em);
    const isDefault = input.isDefault === true || !hasDefault;
    if (isDefault) await unmakeDefault(em);
    em.create(ConfigEntity, {
      id,
      name: input.name,
      publicKey: input.publicKey,
      privateKeySealed: deps.secrets.seal(input.privateKey, privateKeyPlace(id)),
      apiUrl: input.apiUrl,
      defaultRegion: input.defaultRegion,
      projectIds: input.projectIds ?? [],
      isDefault,
      isActive: input.isActive ?? true,
      remark: input.remark || null,
      createdAt: deps.clock.now(),
    });
    await em.flush();
    return await readConfig(em, id);
  });
}

/** Absent fields and blank keys stay as they are. One that is switched off is used no more: its live sync run is cancelled. */
export async function updateConfig(
  deps: SaveDeps & Pick<Deps, "metrics" | "onConfigDisabled">,
  { id, ...input }: UpdateConfigInput,
): Promise<Config> {
  if (input.apiUrl !== undefined) await assertCallable(deps, input.apiUrl);
  const at = deps.clock.now();
  const { config, toTell } = await inTransaction(deps, async (em) => {
    await lockDefault(em);
    const config = await em.findOne(ConfigEntity, { id });
    if (config === null) throw new AppError("NOT_FOUND", CONFIG_NOT_FOUND);
    if (input.isDefault === false && config.isDefault) {
      throw new AppError("STATE_CONFLICT", "不能直接取消默认配置，请把另一个配置设为默认");
    }
    if (input.isDefault === true && !config.isDefault) await unmakeDefault(em);
    const isSwitchedOff = config.isActive && input.isActive === false;
    config.name = input.name ?? config.name;
    config.publicKey = input.publicKey || config.publicKey;
    if (input.privateKey) config.privateKeySealed = deps.secrets.seal(input.privateKey, privateKeyPlace(id));
    config.apiUrl = input.apiUrl ?? config.apiUrl;
    config.defaultRegion = input.defaultRegion ?? config.defaultRegion;
    config.projectIds = input.projectIds ?? config.projectIds;
    config.isDefault = input.isDefault ?? config.isDefault;
    config.isActive = input.isActive ?? config.isActive;
    if (input.remark !== undefined) config.remark = input.remark || null;
    await em.flush();
    const toTell = [];
    if (isSwitchedOff) for (const step of deps.onConfigDisabled) toTell.push(await step(em, { configId: id, at }));
    return { config: await readConfig(em, id), toTell };
  });
  for (const tell of toTell) tell?.(deps);
  return config;
}

/** Opens the stored private key. Throws when it was tampered with, moved, or sealed with a key that is not held. */
export function openCredentials({ secrets }: Pick<Deps, "secrets">, config: ConfigRow): Credentials {
  const { apiUrl, publicKey, defaultRegion, projectIds } = config;
  const privateKey = secrets.open(config.privateKeySealed, privateKeyPlace(config.id));
  return { apiUrl, publicKey, privateKey, defaultRegion, projectIds };
}

/** For the start of a process: throws, naming the configuration, when a stored key does not open. */
export async function verifyStoredKeys({ em, secrets }: Pick<Deps, "em" | "secrets">): Promise<void> {
  for (const config of await em.fork().findAll(ConfigEntity, { orderBy: { id: "asc" } })) {
    try {
      openCredentials({ secrets }, config);
    } catch (cause) {
      const which = `configuration ${config.id}`;
      throw new StartError(
        `the private key stored for ${which} cannot be opened: ENCRYPTION_KEY (or one of ENCRYPTION_KEYS_OLD) must be the key it was stored with`,
        { cause },
      );
    }
  }
}

async function assertCallable({ outbound }: Pick<Deps, "outbound">, apiUrl: string): Promise<void> {
  const verdict = await outbound.checkUrl(apiUrl);
  if (!verdict.ok) throw invalidField("apiUrl", verdict.message);
}

async function unmakeDefault(em: SqlEntityManager): Promise<void> {
  await em.execute("update configs set is_default = false where is_default");
}

async function readConfig(em: SqlEntityManager, id: string): Promise<Config> {
  const [row] = await selectConfigs(em, id);
  if (row === undefined) throw new AppError("NOT_FOUND", CONFIG_NOT_FOUND);
  return presentConfig(row);
}

export function privateKeyPlace(configId: string): SecretPlace {
  return { table: "configs", row: configId, field: "private_key" };
}
