import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { ADVISORY_LOCKS } from "../database/advisory-locks.ts";
import { ConfigEntity } from "./entity.ts";

/**
 * Until commit nobody else makes, changes or removes a configuration, so that exactly one stays the default.
 * @returns whether there is a default one
 */
export async function lockDefault(em: SqlEntityManager): Promise<boolean> {
  await em.execute("select pg_advisory_xact_lock(?)", [ADVISORY_LOCKS.defaultConfig]);
  return (await em.count(ConfigEntity, { isDefault: true })) > 0;
}
