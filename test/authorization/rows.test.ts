import { afterAll, beforeAll, expect, it } from "vitest";
import { ENTITIES } from "../../mikro-orm.config.ts";
import { buildFixture, type Fixture } from "./fixture.ts";

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

const SHOWN_WITH_HOSTS = "they are shown with their hosts, which are named";
const SHOWN_TO_NOBODY = "no call shows them";

/** Tables without a named row, and why no answer needs to be searched for one. */
const UNNAMED: Readonly<Record<string, string>> = {
  sessions: "those of a person are in its `sessions`",
  settings: "every role reads the only row",
  assignments: SHOWN_WITH_HOSTS,
  host_acts: SHOWN_WITH_HOSTS,
  host_changes: SHOWN_WITH_HOSTS,
  events: "api/event-recipients.test.ts says who receives them",
  known_addresses: SHOWN_TO_NOBODY,
  login_failures: SHOWN_TO_NOBODY,
  sync_partitions: SHOWN_TO_NOBODY,
  clean_up: SHOWN_TO_NOBODY,
};

let fixture: Fixture;

beforeAll(async () => {
  fixture = await buildFixture();
});
afterAll(() => fixture[Symbol.asyncDispose]());

it("every nullable column has a value in the rows whose fields clients may receive", async () => {
  const { database } = fixture.app;
  const place = "give it a value in test/authorization/rows.ts";

  const empty: string[] = [];
  for (const { table, column } of await database.query(COLUMNS)) {
    const rows = ROWS_OF_CLIENTS[String(table)] ?? "true";
    const [found] = await database.query(
      `select count(${column}) as filled from ${table} where ${rows}`,
    );
    if (Number(found?.filled) === 0) empty.push(`${table}.${column} is null everywhere: ${place}`);
  }

  expect(empty).toEqual([]);
});

it("every table has rows by name, of which the table says who sees them, or a reason", async () => {
  const named = [...fixture.rows.values()].map(({ id }) => id);
  const place =
    "name some in RowName and VISIBLE_ROWS of test/authorization/rows.ts, or give a reason in UNNAMED";

  const missing: string[] = [];
  for (const { meta } of ENTITIES) {
    const table = meta.tableName;
    if (UNNAMED[table] !== undefined) continue;
    const [found] = await fixture.app.database.query(
      `select count(*)::int as rows from ${table} where id = any($1)`,
      [named],
    );
    if (found?.rows === 0) missing.push(`${table} has no row with a name: ${place}`);
  }

  expect(missing).toEqual([]);
});
