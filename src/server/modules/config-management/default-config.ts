import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { kyselyOf } from "../../platform/database/kysely.ts";

/**
 * Before another configuration becomes the default; under the lock `defaultConfig`. Returns whose
 * it was.
 */
export async function unsetDefault(em: SqlEntityManager): Promise<string[]> {
  const former = await kyselyOf(em)
    .updateTable("configs")
    .set({ isDefault: false })
    .where("isDefault", "=", true)
    .returning("id")
    .execute();
  return former.map(({ id }) => id);
}
