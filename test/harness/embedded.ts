import pg from "pg";
import type { EmbeddedConnection, EmbeddedDatabase } from "../../src/server/embedded-database/open.ts";

export async function query(
  database: EmbeddedDatabase,
  sql: string,
  values: unknown[] = [],
): Promise<pg.QueryResultRow[]> {
  const client = new pg.Client(database.connection);
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query(sql, values)).rows;
  } finally {
    await client.end();
  }
}

export function openPool(connection: EmbeddedConnection, max = 10): pg.Pool & AsyncDisposable {
  const pool = new pg.Pool({ ...connection, max });
  return Object.assign(pool, { [Symbol.asyncDispose]: () => pool.end() });
}
