import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { ConfigEntity } from "./entity.ts";

/** Any number. */
const DEFAULT_LOCK = 7_415_003;

/**
 * Until commit nobody else makes, changes or removes a configuration, so that exactly one stays the default.
 * @returns whether there is a default one
 */
export async function lockDefault(em: SqlEntityManager): Promise<boolean> {
  await em.execute("select pg_advisory_xact_lock(?)", [DEFAULT_LOCK]);
  return (await em.count(ConfigEntity, { isDefault: true })) > 0;
}
