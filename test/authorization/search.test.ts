import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { appRouter } from "../../src/server/app-router.ts";
import { type RestProcedure, restProcedures } from "../../src/server/platform/http/rest/routes.ts";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import { assign, unassign } from "../harness/data.ts";
import { inputFields } from "../harness/input-fields.ts";
import { assertOk } from "../harness/rest.ts";
import { callRest } from "../harness/transports.ts";
import { buildFixture, type Fixture } from "./fixture.ts";
import { TABLE } from "./table.ts";

/*
 * Every text of every row is made different from all others and says of which column it is, as in
 * `users.email.0a1b2c3d`. So whatever a search finds, and whatever a list shows, names its column.
 */

/** One of each role. */
const ACTORS = ["superAdmin", "admin", "client"] as const;
type Actor = (typeof ACTORS)[number];

/** Columns whose texts mean something to the product. */
const CODES = [
  "status",
  "role",
  "scope",
  "kind",
  "trigger",
  "charge_type",
  "held_reason",
  "actor_type",
  "action",
  "subject_type",
  "outcome",
  "password_hash",
  "private_key_sealed",
  "config_sealed",
  "type",
];
/** Texts of rows with ids. No list has the events; tests sign in with the sessions. */
const TEXT_COLUMNS = `
  select table_name as table, column_name as column
  from information_schema.columns text
  where table_schema = 'public' and data_type = 'text' and is_generated = 'NEVER'
    and table_name not in ('events', 'sessions') and column_name <> all($1)
    and exists (
      select from information_schema.columns id
      where id.table_name = text.table_name and id.column_name = 'id'
    )
  order by table_name, ordinal_position`;

interface Searched {
  /** What a search finds. */
  readonly found: readonly string[];
  /** What the list shows and a search does not find, each with the reason. */
  readonly notFound: Readonly<Record<string, string>>;
}

const FILTER = "there is a filter for it, or many rows are alike";
const OF_A_USER = "hosts of a user are another filter";
const IN_ROW = "who looks for it searches the list that it is from";

const OF_HOSTS: Searched = {
  found: ["hosts.name", "hosts.ucloud_id", "hosts.ip_set"],
  notFound: {
    "hosts.os_name": FILTER,
    "hosts.os_type": FILTER,
    "hosts.provider_status": FILTER,
    "hosts.region": FILTER,
    "hosts.zone": FILTER,
    "hosts.tags": FILTER,
    "hosts.note": IN_ROW,
    "users.name": OF_A_USER,
    "users.username": OF_A_USER,
  },
};

const OF_CHANGES: Searched = {
  found: ["hosts.name", "hosts.ucloud_id", "host_changes.changes"],
  notFound: {},
};

const OF_USERS: Searched = {
  found: ["users.username", "users.name", "users.email", "users.phone"],
  notFound: { "users.note": IN_ROW },
};

const OF_RENEWALS: Searched = {
  found: ["users.username", "hosts.name", "renewals.host_name"],
  notFound: {
    "users.name": IN_ROW,
    "users.email": IN_ROW,
    "users.phone": IN_ROW,
    "hosts.ucloud_id": IN_ROW,
    "renewals.remark": IN_ROW,
    "renewals.admin_remark": IN_ROW,
    "renewals.processed_by_name": IN_ROW,
  },
};

const OF_AUDIT: Searched = {
  found: ["audit_entries.actor_name", "audit_entries.subject_label", "audit_entries.ip"],
  notFound: {
    "audit_entries.token_name": IN_ROW,
    "audit_entries.user_agent": FILTER,
    "audit_entries.request_id": "who has it searches the log",
  },
};

const LISTS: Readonly<Record<string, Searched>> = {
  "users.list": OF_USERS,
  "users.export": OF_USERS,
  "hosts.list": OF_HOSTS,
  "hosts.export": {
    found: OF_HOSTS.found,
    notFound: {
      "hosts.os_name": FILTER,
      "hosts.region": FILTER,
      "hosts.zone": FILTER,
      "hosts.tags": FILTER,
      "hosts.project_id": FILTER,
      "hosts.note": IN_ROW,
      "configs.name": FILTER,
      "users.name": OF_A_USER,
      "users.username": OF_A_USER,
    },
  },
  "hosts.heldRemovals": OF_HOSTS,
  "hosts.changes": OF_CHANGES,
  "hosts.syncRunChanges": OF_CHANGES,
  "renewals.list": OF_RENEWALS,
  "renewals.export": OF_RENEWALS,
  "audit.list": OF_AUDIT,
  "audit.export": OF_AUDIT,
};

/** The texts of a column, and how all of them begin. */
interface Texts {
  readonly column: string;
  readonly prefix: string;
  readonly all: readonly string[];
}

const SEARCHABLE = restProcedures(appRouter).filter(({ input }) =>
  inputFields(input).includes("search"),
);

let fixture: Fixture;
let texts: readonly Texts[];

beforeAll(async () => {
  fixture = await buildFixture();
  // Clients and admins see the host of a request as it was then, once somebody else has it.
  const { app, id } = fixture;
  await assign(app, id("sharedHost"), id("sibling"));
  await assertOk(unassign(app, id("sharedHost"), id("client")));
  texts = [...(await markTexts()), await markTags(), await markAddresses(), await markChanges()];
});
afterAll(() => fixture[Symbol.asyncDispose]());

async function markTexts(): Promise<Texts[]> {
  const { database } = fixture.app;
  const columns = await database.query(TEXT_COLUMNS, [CODES]);
  const marked: Texts[] = [];
  for (const [table, ofTable] of Map.groupBy(columns, ({ table }) => String(table))) {
    const names = ofTable.map(({ column }) => String(column));
    const marks = names.map((name) => `${name} = '${table}.${name}.' || right(id::text, 8)`);
    const rows = await database.query(`update ${table} set ${marks.join(", ")} returning *`);
    for (const name of names) {
      const column = `${table}.${name}`;
      marked.push({ column, prefix: `${column}.`, all: rows.map((row) => String(row[name])) });
    }
  }
  return marked;
}

async function markTags(): Promise<Texts> {
  const column = "hosts.tags";
  const rows = await fixture.app.database.query(
    `update hosts set tags = jsonb_build_array($1 || '.' || right(id::text, 8))
     returning tags->>0 as tag`,
    [column],
  );
  return { column, prefix: `${column}.`, all: rows.map(({ tag }) => String(tag)) };
}

/** Clients see the addresses of hosts whose period lasts; that of `host` is over. */
async function markAddresses(): Promise<Texts> {
  const { app, id, now } = fixture;
  await app.database.query("update settings set show_network_info_to_client = true");
  await app.database.query(
    "update assignments set assigned_at = $2, assigned_expire_time = $3 where host_id = $1",
    [id("host"), now() - 9 * DAY_SECONDS, now() - DAY_SECONDS],
  );
  const rows = await app.database.query(
    `update hosts h
     set ip_set = jsonb_build_array(jsonb_build_object('Type', 'Private', 'IP', '10.77.0.' || n))
     from (select id, 100 + row_number() over () as n from hosts) numbered
     where numbered.id = h.id
     returning ip_set->0->>'IP' as address`,
  );
  const all = rows.map(({ address }) => String(address));
  return { column: "hosts.ip_set", prefix: "10.77.0.", all };
}

async function markChanges(): Promise<Texts> {
  const column = "host_changes.changes";
  await fixture.app.database.query(
    `update host_changes set changes = jsonb_build_array(jsonb_build_object(
       'field', 'name', 'from', $1 || '.from.' || id, 'to', $1 || '.to.' || id))`,
    [column],
  );
  return { column, prefix: `${column}.`, all: [`${column}.from`, `${column}.to`] };
}

describe.each(SEARCHABLE)("a search in $path", (procedure) => {
  const actors = ACTORS.filter((actor) => rowOf(procedure).expected[actor] !== "FORBIDDEN");
  /** By actor the columns whose texts a search finds something by. */
  const found = new Map<Actor, readonly Texts[]>();

  beforeAll(async () => {
    await fixture.app.database.query("delete from audit_entries where action like '%.export'");
    for (const actor of actors) {
      const own: Texts[] = [];
      for (const each of texts) {
        if ((await list(procedure, actor, each.prefix)).length > 0) own.push(each);
      }
      found.set(actor, own);
    }
  });

  it.each(actors)("finds for the %s no row by a text that it does not show", async (actor) => {
    const unshown: string[] = [];
    for (const text of (found.get(actor) ?? []).flatMap(({ all }) => all)) {
      // Nobody learns anything from a row that its own name finds.
      if (text.endsWith(fixture.people[actor].id.slice(-8))) continue;
      const rows = await list(procedure, actor, text);
      const others = rows.filter((row) => !row.includes(text));
      unshown.push(...others.map((row) => `${text}: ${row}`));
    }

    expect(unshown).toEqual([]);
  });

  it("finds what the list of this file says, and shows nothing else without a reason", async () => {
    const rows: string[] = [];
    for (const actor of actors) rows.push(...(await list(procedure, actor)));
    const shown = texts.filter(({ prefix }) => rows.some((row) => row.includes(prefix)));

    const columns = new Set([...found.values()].flat().map(({ column }) => column));
    const notFound = shown.map(({ column }) => column).filter((column) => !columns.has(column));
    const expected = LISTS[procedure.path] ?? { found: [], notFound: {} };
    const place = `${procedure.path} of LISTS in test/authorization/search.test.ts`;
    expect([...columns].toSorted(), place).toEqual(expected.found.toSorted());
    expect(notFound.toSorted(), place).toEqual(Object.keys(expected.notFound).toSorted());
  });
});

function rowOf({ path }: RestProcedure) {
  const row = TABLE.find(({ call }) => call === path);
  if (row === undefined) throw new Error(`test/authorization/table.ts has no ${path}`);
  return row;
}

/** The rows as JSON; all of them without a text to search for. */
/** Entries of exports, which tell what was searched. */
const EXPORTED = /\.export"|"导出/;

async function list(procedure: RestProcedure, actor: Actor, search = ""): Promise<string[]> {
  const isPage = inputFields(procedure.input).includes("limit");
  const page = isPage ? { limit: 100 } : {};
  const input = { ...rowOf(procedure).input(fixture, actor), ...page };
  const narrowed = search === "" ? input : { ...input, search };
  const { token } = fixture.people[actor];
  const { body } = await callRest(fixture.url, { procedure, input: narrowed, token });
  const rows = Array.isArray(body)
    ? body
    : Object.values(z.looseObject({}).parse(body)).find(Array.isArray);
  if (rows === undefined) throw new Error(`no list: ${JSON.stringify(body)}`);
  const texts = rows.map((row) => JSON.stringify(row));
  return procedure.path.startsWith("audit.") ? texts.filter((text) => !EXPORTED.test(text)) : texts;
}
