import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { appRouter } from "../../src/server/app-router.ts";
import { restProcedures } from "../../src/server/platform/http/rest/routes.ts";
import { callRest, procedureOf } from "../harness/transports.ts";
import { LIVE } from "./callers.ts";
import { buildFixture, type Fixture } from "./fixture.ts";
import { TABLE, type TableRow } from "./table.ts";

/** The types of the events that a mutation publishes, or the reason why it publishes none. */
type Published = readonly string[] | string;

const NO_SESSIONS = "sessions are not in the event log: their end closes the sockets";
const ASSIGNED = ["assignment.changed", "hosts.changed"];

const EVENTS: Readonly<Record<string, Published>> = {
  "auth.login": NO_SESSIONS,
  "auth.changePassword": "nobody else sees it, unless the password had to be changed",
  "auth.refresh": NO_SESSIONS,
  "auth.logout": NO_SESSIONS,
  "auth.endSession": NO_SESSIONS,
  "auth.endOtherSessions": NO_SESSIONS,
  "users.create": ["user.changed"],
  "users.update": ["hosts.changed", "user.changed"],
  "users.delete": ["hosts.changed", "renewal.cancelled", "user.changed"],
  "users.resetPassword": ["user.changed"],
  "hosts.assign": ASSIGNED,
  "hosts.unassign": [...ASSIGNED, "renewal.cancelled"],
  "hosts.batch, assigning": ASSIGNED,
  "hosts.batch, unassigning": [...ASSIGNED, "renewal.cancelled"],
  "hosts.batch, transferring": [...ASSIGNED, "renewal.cancelled"],
  "hosts.batch, syncing": ["hosts.changed", "removals.changed"],
  "hosts.sync": ["hosts.changed", "removals.changed", "sync.finished", "sync.progress"],
  "hosts.syncOne": ["hosts.changed", "removals.changed"],
  "hosts.cancelSync": ["sync.finished"],
  "hosts.confirmRemovals": ["hosts.changed", "removals.changed"],
  "hosts.dismissRemovals": ["removals.changed"],
  "configs.create": ["config.changed"],
  "configs.update": ["config.changed"],
  "configs.delete": ["config.changed", "hosts.changed", "sync.finished"],
  "configs.test": "it changes the result of the test only, which its caller gets",
  "renewals.create, a host of the client": ["renewal.created"],
  "renewals.create, a shared host": ["renewal.created"],
  "renewals.createBatch": ["renewal.created"],
  "renewals.process": [...ASSIGNED, "renewal.processed"],
  "renewals.processBatch": ["renewal.processed"],
  "renewals.cancel": ["renewal.cancelled"],
  "settings.update": ["settings.changed"],
};

const MUTATIONS = restProcedures(appRouter).filter(({ type }) => type === "mutation");

/** The rows of the permission table that change something, by the name that EVENTS gives them. */
const CHANGES = TABLE.filter(({ call }) => MUTATIONS.some(({ path }) => path === call)).map(
  (row) => {
    const isOnly = TABLE.filter(({ call }) => call === row.call).length === 1;
    return { row, name: isOnly ? row.call : `${row.call}, ${row.on}` };
  },
);
const SUCCESSFUL = CHANGES.flatMap(({ row, name }) => {
  const [actor] = LIVE.map(([who]) => who).filter((who) => row.expected[who] === "ok");
  return actor === undefined ? [] : [{ row, name, actor }];
});

describe("every mutation", () => {
  let fixture: Fixture;

  beforeAll(async () => {
    fixture = await buildFixture();
  });
  afterAll(() => fixture[Symbol.asyncDispose]());
  beforeEach(() => fixture.restore());

  it("has its events or the reason for none in this list", () => {
    const walked = new Set(SUCCESSFUL.map(({ row }) => row.call));
    const missing = MUTATIONS.map(({ path }) => path).filter((path) => !walked.has(path));
    const names = SUCCESSFUL.map(({ name }) => name).sort();

    expect(missing, "mutations without a row in test/authorization/table.ts").toEqual([]);
    expect(
      Object.keys(EVENTS).sort(),
      "EVENTS in test/authorization/events-of-mutations.test.ts has each of these rows",
    ).toEqual(names);
  });

  it.each(SUCCESSFUL)("$name publishes what the list says", async ({ row, name, actor }) => {
    await row.prepare?.(fixture);
    const { newestEvent } = await fixture.effects();

    const { body, code } = await act(row, actor);

    expect([code, body]).toEqual([null, body]);
    const expected = EVENTS[name] ?? "nothing said";
    expect(
      await typesAfter(newestEvent),
      `EVENTS in test/authorization/events-of-mutations.test.ts says of ${name}`,
    ).toEqual(typeof expected === "string" ? [] : expected);
  });

  async function act(row: TableRow, actor: (typeof SUCCESSFUL)[number]["actor"]) {
    const { token } = fixture.people[actor];
    return await callRest(fixture.url, {
      procedure: procedureOf(row.call),
      input: row.input(fixture, actor),
      token,
    });
  }

  /** Each type once, in alphabetical order. */
  async function typesAfter(newest: number): Promise<string[]> {
    const types = "select distinct type from events where id > $1 order by type";
    return (await fixture.app.database.query(types, [newest])).map(({ type }) => String(type));
  }
});
