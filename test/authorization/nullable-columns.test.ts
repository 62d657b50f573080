import { expect, it } from "vitest";
import { buildFixture } from "./fixture.ts";

const PLACE = "give it a value in test/authorization/rows.ts";

/** The rows whose fields may reach a client; of other tables, all. */
const ROWS_OF_CLIENTS: Readonly<Record<string, string>> = {
  hosts: "id in (select host_id from assignments where ended_at is null)",
  users: "role = 'client'",
};

/** Tables whose rows the fixture writes itself: the queue and the event log are the product's. */
const COLUMNS = `
  select table_name as table, column_name as column
  from information_schema.columns
  where table_schema = 'public' and is_nullable = 'YES' and table_name <> 'events'
  order by table_name, ordinal_position`;

it("every nullable column has a value in the rows whose fields clients may receive", async () => {
  await using fixture = await buildFixture();
  const { database } = fixture.app;

  const empty: string[] = [];
  for (const { table, column } of await database.query(COLUMNS)) {
    const rows = ROWS_OF_CLIENTS[String(table)] ?? "true";
    const [found] = await database.query(
      `select count(${column}) as filled from ${table} where ${rows}`,
    );
    if (Number(found?.filled) === 0) empty.push(`${table}.${column} is null everywhere: ${PLACE}`);
  }

  expect(empty).toEqual([]);
});
