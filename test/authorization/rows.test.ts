import { afterAll, beforeAll, expect, it } from "vitest";
import { ENTITIES } from "../../mikro-orm.config.ts";
import { type FormerRows, insertFormerRows } from "../harness/former-rows.ts";
import { callRest, procedureOf } from "../harness/transports.ts";
import { LIVE } from "./callers.ts";
import { buildFixture, type Fixture } from "./fixture.ts";
import { TABLE } from "./table.ts";

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
const SHOWN_TO_SUPER_ADMINS = "only super admins read them, and all of them";
const SHOWN_TO_NOBODY = "no call shows them";

/** Tables without a named row, and why no answer needs to be searched for one. */
const UNNAMED: Readonly<Record<string, string>> = {
  sessions: "those of a person are in its `sessions`",
  settings: "every role reads the only row",
  assignments: SHOWN_WITH_HOSTS,
  host_acts: SHOWN_WITH_HOSTS,
  host_changes: SHOWN_WITH_HOSTS,
  reminder_settings: SHOWN_TO_SUPER_ADMINS,
  reminders: SHOWN_TO_SUPER_ADMINS,
  reminder_hosts: SHOWN_TO_SUPER_ADMINS,
  events: "api/event-recipients.test.ts says who receives them",
  known_addresses: SHOWN_TO_NOBODY,
  login_failures: SHOWN_TO_NOBODY,
  second_factors: "users show whether they have one",
  recovery_codes: SHOWN_TO_NOBODY,
  sign_in_challenges: SHOWN_TO_NOBODY,
  notice_deliveries: "the last one of a channel is shown with it, to super admins",
  sync_partitions: SHOWN_TO_NOBODY,
  clean_up: SHOWN_TO_NOBODY,
  audit_entries: "super admins see all; api/audit.test.ts says what a user sees of its account",
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

it("what is gone, has ended or was closed changes no answer but the lists of it", async () => {
  const before = await readAnswers();

  const former = await insertFormerRows(fixture.app.database);

  const after = await readAnswers();
  const queries = [...before.keys()];
  expect(queries.map((query) => [query, without(former, query, after.get(query))])).toEqual(
    queries.map((query) => [query, without(former, query, before.get(query))]),
  );
});

/** Answers that show or count rows that are over, and the fields that say how many there are. */
const COUNTS_OF_FORMER: Readonly<Record<string, readonly string[]>> = {
  "users.assignments": ["pagination"],
  "renewals.list": ["pagination", "counts"],
  "hosts.list, of those that are gone": ["pagination"],
  "hosts.summary": ["gone"],
  // Calls that are refused meanwhile.
  "audit.list": ["entries", "pagination"],
};

/** Files of such lists: `properties/exports.test.ts` holds them against the lists. */
const FILES_OF_FORMER = ["renewals.export", "audit.export"];

/** What each query of the table answers everybody. */
async function readAnswers(): Promise<ReadonlyMap<string, unknown>> {
  const answers = new Map<string, unknown>();
  for (const { call, on, input: inputOf } of TABLE) {
    const procedure = procedureOf(call);
    if (procedure.type !== "query" || FILES_OF_FORMER.includes(call)) continue;
    for (const [actor] of LIVE) {
      const { token } = fixture.people[actor];
      const input = { ...allRows(call), ...inputOf(fixture, actor) };
      const { body } = await callRest(fixture.url, { procedure, input, token });
      answers.set(`${call}, ${on}, ${actor}`, body);
    }
  }
  return answers;
}

/** On one page, so that rows that are left out move no other to it. */
function allRows(call: string) {
  return COUNTS_OF_FORMER[call]?.includes("pagination") ? { limit: 100 } : {};
}

function without(former: FormerRows, query: string, answer: unknown): string {
  const over = Object.values(former).flat();
  const [, counts = []] =
    Object.entries(COUNTS_OF_FORMER).find(([call]) => query.startsWith(call)) ?? [];
  return JSON.stringify(answer, (name, value) => {
    if (counts.includes(name)) return undefined;
    return Array.isArray(value) ? value.filter((each) => !over.includes(each?.id)) : value;
  });
}
