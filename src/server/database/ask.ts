import type pg from "pg";

/** Runs one statement and answers its rows: on one connection, or inside somebody's transaction. */
export type Ask = <Row extends object>(sql: string, parameters?: readonly unknown[]) => Promise<Row[]>;

/** Whole numbers beyond 32 bits come as text here; ask for float8. */
export function askOn(client: pg.Client): Ask {
  return async <Row extends object>(sql: string, parameters: readonly unknown[] = []) => {
    const { rows } = await client.query<Row>(sql, [...parameters]);
    return rows;
  };
}

export async function hasTable(ask: Ask, table: string): Promise<boolean> {
  const [row] = await ask<{ exists: boolean }>("select to_regclass($1) is not null as exists", [table]);
  return row?.exists === true;
}
