import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { appRouter } from "../../src/server/app-router.ts";
import { restProcedures } from "../../src/server/platform/http/rest/routes.ts";
import { readNewestEvent } from "../harness/snapshot.ts";
import { callRest, procedureOf } from "../harness/transports.ts";
import { LIVE } from "./callers.ts";
import { buildFixture, type Fixture } from "./fixture.ts";
import { TABLE, type TableRow } from "./table.ts";

interface Published {
  /**
   * Its events, each with the rows of the world that it names, in alphabetical order; or the reason
   * why it publishes none.
   */
  readonly events: readonly string[] | string;
  /** Why a second, equal call publishes events as well. Without a reason it must not. */
  readonly again?: string;
}

const NO_SESSIONS = "sessions are not in the event log: their end closes the sockets";

const EVENTS: Readonly<Record<string, Published>> = {
  "auth.login": { events: NO_SESSIONS },
  "auth.changePassword": { events: "nobody else sees it, unless the password had to be changed" },
  "auth.refresh": { events: NO_SESSIONS },
  "auth.logout": { events: NO_SESSIONS },
  "auth.endSession": { events: NO_SESSIONS },
  "auth.endOtherSessions": { events: NO_SESSIONS },
  "users.create": { events: ["user.changed"] },
  "users.update": {
    events: [
      "hosts.changed admin client goneHost host quietHost sharedHost",
      "user.changed admin client",
    ],
  },
  "users.delete": {
    events: [
      "hosts.changed admin client goneHost host quietHost sharedHost",
      "renewal.cancelled request",
      "user.changed admin client",
    ],
  },
  "users.resetPassword": { events: ["user.changed client"], again: "each makes another password" },
  "hosts.assign": {
    events: ["assignment.changed sibling spareHost", "hosts.changed config sibling spareHost"],
  },
  "hosts.unassign": {
    events: [
      "assignment.changed client host",
      "hosts.changed client config host",
      "renewal.cancelled request",
    ],
  },
  "hosts.batch, assigning": {
    events: [
      "assignment.changed otherClient spareHost",
      "hosts.changed config otherClient spareHost",
    ],
  },
  "hosts.batch, unassigning": {
    events: [
      "assignment.changed client host",
      "assignment.changed foreignHost otherClient",
      "hosts.changed client config host",
      "hosts.changed config foreignHost otherClient",
      "renewal.cancelled foreignRequest",
      "renewal.cancelled request",
    ],
  },
  "hosts.batch, transferring": {
    events: [
      "assignment.changed client host",
      "assignment.changed host sibling",
      "hosts.changed client config host",
      "hosts.changed config host sibling",
      "renewal.cancelled request",
    ],
  },
  "hosts.batch, syncing": { events: ["hosts.changed config host", "removals.changed config"] },
  "hosts.sync": {
    events: [
      "hosts.changed config foreignHost goneHost host quietHost sharedHost siblingHost spareHost",
      "removals.changed config",
      "sync.finished config",
      "sync.progress config",
    ],
    again: "each is another run",
  },
  "hosts.syncOne": { events: ["hosts.changed config host", "removals.changed config"] },
  "hosts.cancelSync": { events: ["sync.finished liveRun otherConfig"] },
  "hosts.confirmRemovals": { events: ["hosts.changed config host", "removals.changed config"] },
  "hosts.dismissRemovals": { events: ["removals.changed config"] },
  "configs.create": {
    events: ["config.changed", "config.changed config"],
    again: "each makes another one",
  },
  "configs.update": {
    events: ["config.changed config"],
    again: "what is stored already is not compared: super admins read a few rows again",
  },
  "configs.delete": {
    events: [
      "config.changed otherConfig",
      "hosts.changed otherConfig",
      "sync.finished liveRun otherConfig",
    ],
  },
  "configs.test": { events: "it changes the result of the test only, which its caller gets" },
  "renewals.create, a host of the client": { events: ["renewal.created"] },
  "renewals.create, a shared host": { events: ["renewal.created"] },
  "renewals.createBatch": { events: ["renewal.created"] },
  "renewals.process": {
    events: [
      "assignment.changed client host",
      "hosts.changed client host",
      "renewal.processed request",
    ],
  },
  "renewals.processBatch": { events: ["renewal.processed request"] },
  "renewals.cancel": { events: ["renewal.cancelled request"] },
  "settings.update": { events: ["settings.changed"] },
};

const PLACE = "EVENTS in test/authorization/events-of-mutations.test.ts";
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

    const { code, body, events } = await act(row, actor);

    expect([code, body]).toEqual([null, body]);
    const expected = EVENTS[name]?.events ?? "nothing said";
    expect(events, `${PLACE} says of ${name}`).toEqual(Array.isArray(expected) ? expected : []);
  });

  it.each(SUCCESSFUL)(
    "$name publishes nothing again, or the list says why",
    async ({ row, name, actor }) => {
      await row.prepare?.(fixture);
      await act(row, actor);

      const { events } = await act(row, actor);

      const mayRepeat = EVENTS[name]?.again !== undefined;
      expect(events.length > 0, `of ${name} ${PLACE} has a reason in again: ${events}`).toBe(
        mayRepeat,
      );
    },
  );

  async function act({ call, input }: TableRow, actor: (typeof SUCCESSFUL)[number]["actor"]) {
    const newest = await readNewestEvent(fixture.app.database);
    const answer = await callRest(fixture.url, {
      procedure: procedureOf(call),
      input: input(fixture, actor),
      token: fixture.people[actor].token,
    });
    return { ...answer, events: await eventsAfter(newest) };
  }

  /** Each once, in alphabetical order. */
  async function eventsAfter(newest: number): Promise<string[]> {
    const rows = await fixture.app.database.query(
      "select type, payload::text as payload from events where id > $1",
      [newest],
    );
    const events = rows.map(({ type, payload }) => [type, ...rowsIn(String(payload))].join(" "));
    return [...new Set(events)].toSorted();
  }

  /** The names of the rows whose ids are in the text. */
  function rowsIn(text: string): string[] {
    const named = [...fixture.rows].filter(([, { id }]) => text.includes(id));
    return named.map(([name]) => name).toSorted();
  }
});
