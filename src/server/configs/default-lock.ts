import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import { ADVISORY_LOCKS } from "../database/sql.ts";

/** Held until commit by every change of configurations, so that exactly one stays the default. */
export async function lockDefault(em: SqlEntityManager): Promise<void> {
  await sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.defaultConfig})`.execute(em.getKysely());
}
