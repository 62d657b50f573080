import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { configNotFound } from "./queries.ts";

/**
 * Until the commit no run starts and nobody changes the configuration. A live run may insert hosts
 * that refer to it: that needs the key of the row only. Throws NOT_FOUND.
 */
export async function lockConfig(em: SqlEntityManager, id: string) {
  const config = await kyselyOf(em)
    .selectFrom("configs")
    .select(["name", "isActive", "isDefault"])
    .where("id", "=", id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (config === undefined) throw configNotFound();
  return config;
}
