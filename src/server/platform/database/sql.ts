import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { type RawBuilder, sql } from "kysely";

/** Keys of PostgreSQL's advisory locks, the same for all processes. */
export const ADVISORY_LOCKS = {
  migration: 7_415_001,
  /** So that event ids rise in the order of commits. */
  eventAppend: 7_415_002,
  /** So that exactly one configuration is the default. */
  defaultConfig: 7_415_003,
  firstAdmin: 7_415_004,
  /** So that there are never more channels than allowed. */
  channelLimit: 7_415_032,
} as const;

export async function takeAdvisoryLock(
  em: SqlEntityManager,
  name: keyof typeof ADVISORY_LOCKS,
): Promise<void> {
  await sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS[name]})`.execute(em.getKysely());
}

/**
 * For `where(column, "=", anyOf(ids))`: one of these UUIDs, however many. An `in` list has a
 * parameter for each, and a statement may have 65,535.
 */
export function anyOf(ids: readonly string[]): RawBuilder<string> {
  return sql<string>`any(${ids}::uuid[])`;
}

/** The same for texts. */
export function anyOfTexts(texts: readonly string[]): RawBuilder<string> {
  return sql<string>`any(${texts}::text[])`;
}

/**
 * The LIKE pattern that finds the text anywhere and literally: `%`, `_` and `\` in it are ordinary
 * characters.
 */
export function containsPattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, "\\$&")}%`;
}

/** The present of the database, in whole Unix seconds. */
export function unixNow(): RawBuilder<number> {
  return sql<number>`extract(epoch from now())::bigint`;
}
