import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";

/** Keys of PostgreSQL's advisory locks. All processes of the product must agree on them. */
export const ADVISORY_LOCKS = {
  /** Held while the schema changes. */
  migration: 7_415_001,
  /** Held until commit by a transaction that appends events, so that ids rise in the order of commits. */
  eventAppend: 7_415_002,
  /** Held until commit by a transaction that changes configurations, so that exactly one is the default. */
  defaultConfig: 7_415_003,
  /** Held by the replica that creates the first super admin. */
  firstAdmin: 7_415_004,
} as const;

/** Waits for the lock and holds it until the commit. */
export async function takeAdvisoryLock(em: SqlEntityManager, name: keyof typeof ADVISORY_LOCKS): Promise<void> {
  await sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS[name]})`.execute(em.getKysely());
}

/** The LIKE pattern that finds the text anywhere and literally: `%`, `_` and `\` in it are ordinary characters. */
export function containsPattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, "\\$&")}%`;
}
