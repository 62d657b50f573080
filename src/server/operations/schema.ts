import { type Ask, hasTable } from "../database/ask.ts";

/** Names of the migrations that were run, in their order; none in a database that is not ours, or not yet. */
export async function readSchema(ask: Ask): Promise<string[]> {
  if (!(await hasTable(ask, "schema_migrations"))) return [];
  const rows = await ask<{ name: string }>("select name from schema_migrations order by id");
  return rows.map(({ name }) => name);
}

/** Whether these are the first of the migrations that this program knows. */
export function isKnownSchema(schema: readonly string[], known: readonly string[]): boolean {
  return schema.every((name, index) => known[index] === name);
}

/** The columns that are stored, not computed from others, quoted and joined. */
export async function storedColumns(ask: Ask, table: string): Promise<string> {
  const rows = await ask<{ name: string }>(
    `select quote_ident(attname) as name from pg_attribute
     where attrelid = $1::text::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
    [table],
  );
  return rows.map(({ name }) => name).join(", ");
}

export async function countRows(ask: Ask, table: string): Promise<number> {
  const [row] = await ask<{ n: number }>(`select count(*)::float8 as n from ${table}`);
  return row?.n ?? 0;
}

/** Id of the newest event that was ever made, 0 when there was none. Event ids rise without end, whatever is cleaned away. */
export async function readEventPosition(ask: Ask): Promise<number> {
  const [row] = await ask<{ n: number }>(
    "select case when is_called then last_value else 0 end::float8 as n from events_id_seq",
  );
  return row?.n ?? 0;
}
