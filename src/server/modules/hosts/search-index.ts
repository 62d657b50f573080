import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { kyselyOf } from "../../platform/database/kysely.ts";
import type { Log } from "../../platform/log.ts";

/** A search works without its index, but reads every host. The embedded database never has it. */
export async function warnWithoutSearchIndex(em: SqlEntityManager, log: Log): Promise<void> {
  const { index } = await kyselyOf(em)
    .selectNoFrom((eb) => eb.fn<string | null>("to_regclass", [eb.val("hosts_search")]).as("index"))
    .executeTakeFirstOrThrow();
  if (index === null) {
    log.warn("searches read every host: the database has no index hosts_search");
  }
}
