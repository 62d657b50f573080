import { UnderscoreNamingStrategy } from "@mikro-orm/core";

/** PostgreSQL's own endings of names that a migration leaves to it. */
const ENDINGS: Readonly<Record<string, string>> = { foreign: "fkey", unique: "key" };

/**
 * Names columns and constraints as PostgreSQL does, so that entities describe what the migrations
 * made.
 */
export class PostgresNames extends UnderscoreNamingStrategy {
  override indexName(
    table: string,
    columns: string[],
    type: "primary" | "foreign" | "unique" | "index" | "sequence" | "check" | "default",
  ): string {
    const ending = ENDINGS[type];
    if (ending === undefined) return super.indexName(table, columns, type);

    return [table, ...columns, ending].join("_");
  }
}

const NAMES = new PostgresNames();

/** The column of a property that bears no name of its own. */
export function columnOf(property: string): string {
  return NAMES.propertyToColumnName(property);
}
