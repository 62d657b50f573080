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
  /**
   * Its entries in the audit log, one for each row that it changes, with the row of the world that
   * each names. Absent: one, with the name of the call, that names no row of the world.
   */
  readonly audit?: readonly string[];
}

const NO_SESSIONS = "sessions are not in the event log: their end closes the sockets";

const NO_TOKENS = "tokens are not in the event log: nobody else watches them";

const EVENTS: Readonly<Record<string, Published>> = {
  "auth.login": { events: NO_SESSIONS, audit: ["auth.login client"] },
  "auth.changePassword": { events: ["notice.created"] },
  "auth.updatePreferences": { events: ["user.changed"] },
  "auth.refresh": { events: NO_SESSIONS },
  "auth.logout": { events: NO_SESSIONS },
  "auth.endSession": { events: NO_SESSIONS, audit: ["auth.endSession client"] },
  "auth.endOtherSessions": { events: NO_SESSIONS },
  "auth.secondFactor": { events: NO_SESSIONS, audit: ["auth.secondFactor client"] },
  "auth.setUpTotp": { events: "nothing is on before it is confirmed" },
  "auth.confirmTotp": { events: ["user.changed"] },
  "auth.renewRecoveryCodes": { events: "nobody else sees them" },
  "auth.disableTotp": { events: ["user.changed"] },
  "auth.createToken": { events: NO_TOKENS },
  "auth.revokeToken": { events: NO_TOKENS, audit: ["auth.revokeToken client"] },
  "users.create": { events: ["user.changed"] },
  "users.import": { events: ["user.changed"], audit: ["users.create", "users.import"] },
  "users.update": {
    events: [
      "hosts.changed admin client goneHost host quietHost sharedHost",
      "user.changed admin client",
    ],
    audit: ["users.update client"],
  },
  "users.delete": {
    events: [
      "hosts.changed admin client goneHost host quietHost sharedHost",
      "renewal.cancelled request",
      "user.changed admin client",
    ],
    audit: ["users.delete client"],
  },
  "users.resetPassword": {
    events: ["notice.created client", "user.changed client"],
    again: "each makes another password",
    audit: ["users.resetPassword client"],
  },
  "users.resetSecondFactor": {
    events: ["user.changed client"],
    audit: ["users.resetSecondFactor client"],
  },
  "users.revokeToken": { events: NO_TOKENS, audit: ["users.revokeToken client"] },
  "hosts.annotate": {
    events: ["annotations.changed host"],
    audit: ["hosts.annotate host"],
  },
  "hosts.assign": {
    events: [
      "assignment.changed sibling spareHost",
      "hosts.changed config sibling spareHost",
      "notice.created sibling",
    ],
    audit: ["hosts.assign spareHost"],
  },
  "assignments.import": {
    events: [
      "assignment.changed sibling spareHost",
      "hosts.changed config sibling spareHost",
      "notice.created sibling",
    ],
    audit: ["assignments.import", "hosts.assign spareHost"],
  },
  "hosts.unassign": {
    events: [
      "assignment.changed client host",
      "hosts.changed client config host",
      "notice.created client",
      "renewal.cancelled request",
    ],
    audit: ["hosts.unassign host"],
  },
  "hosts.batch, assigning": {
    events: [
      "assignment.changed otherClient spareHost",
      "hosts.changed config otherClient spareHost",
      "notice.created otherClient",
    ],
    audit: ["hosts.assign spareHost"],
  },
  "hosts.batch, unassigning": {
    events: [
      "assignment.changed client host",
      "assignment.changed foreignHost otherClient",
      "hosts.changed client config host",
      "hosts.changed config foreignHost otherClient",
      "notice.created client",
      "notice.created otherClient",
      "renewal.cancelled foreignRequest",
      "renewal.cancelled request",
    ],
    audit: ["hosts.unassign foreignHost", "hosts.unassign host"],
  },
  "hosts.batch, transferring": {
    events: [
      "assignment.changed client host",
      "assignment.changed host sibling",
      "hosts.changed client config host",
      "hosts.changed config host sibling",
      "notice.created client",
      "notice.created sibling",
      "renewal.cancelled request",
    ],
    audit: ["hosts.transfer host"],
  },
  "hosts.batch, syncing": {
    events: ["hosts.changed config host", "removals.changed config"],
    audit: ["hosts.syncOne host"],
  },
  "hosts.batch, tagging": {
    events: ["annotations.changed host", "annotations.changed spareHost"],
    audit: ["hosts.annotate host", "hosts.annotate spareHost"],
  },
  "hosts.sync": {
    events: [
      "hosts.changed config foreignHost goneHost host quietHost sharedHost siblingHost spareHost",
      "removals.changed config",
      "sync.finished config",
      "sync.progress config",
    ],
    again: "each is another run",
    audit: ["hosts.sync config", "job.sync-run config"],
  },
  "hosts.syncOne": {
    events: ["hosts.changed config host", "removals.changed config"],
    audit: ["hosts.syncOne host"],
  },
  "hosts.cancelSync": {
    events: ["sync.finished liveRun otherConfig"],
    audit: ["hosts.cancelSync otherConfig"],
  },
  "hosts.confirmRemovals": {
    events: ["hosts.changed config host", "removals.changed config"],
    audit: ["hosts.confirmRemovals host"],
  },
  "hosts.dismissRemovals": {
    events: ["removals.changed config"],
    audit: ["hosts.dismissRemovals host"],
  },
  "configs.create": {
    events: ["config.changed", "config.changed config"],
    again: "each makes another one",
    audit: ["configs.create", "configs.update config"],
  },
  "configs.update": {
    events: ["config.changed config"],
    again: "what is stored already is not compared: super admins read a few rows again",
    audit: ["configs.update config"],
  },
  "configs.delete": {
    events: [
      "config.changed otherConfig",
      "hosts.changed otherConfig",
      "sync.finished liveRun otherConfig",
    ],
    audit: ["configs.delete otherConfig"],
  },
  "configs.test": {
    events: "it changes the result of the test only, which its caller gets",
    audit: ["configs.test config"],
  },
  "noticeChannels.create": {
    events: ["channel.changed"],
    again: "each makes another one",
  },
  "noticeChannels.update": {
    events: ["channel.changed channel"],
    again: "what is stored already is not compared: super admins read a few rows again",
    audit: ["noticeChannels.update channel"],
  },
  "noticeChannels.delete": {
    events: ["channel.changed channel"],
    audit: ["noticeChannels.delete channel"],
  },
  "noticeChannels.test": {
    events: "it sends a message, whose result its caller gets",
    audit: ["noticeChannels.test channel"],
  },
  "renewals.create, a host of the client": {
    events: ["notice.created", "renewal.created"],
    audit: ["renewals.create quietHost"],
  },
  "renewals.create, a shared host": {
    events: ["notice.created", "renewal.created"],
    audit: ["renewals.create sharedHost"],
  },
  "renewals.createBatch": {
    events: ["notice.created", "renewal.created"],
    audit: ["renewals.create sharedHost"],
  },
  "renewals.process": {
    events: [
      "assignment.changed client host",
      "hosts.changed client host",
      "notice.created client",
      "renewal.processed request",
    ],
    audit: ["renewals.process host"],
  },
  "renewals.processBatch": {
    events: ["notice.created client", "renewal.processed request"],
    audit: ["renewals.process host"],
  },
  "renewals.undo": {
    events: ["notice.created client", "renewal.processed decidedRequest"],
    audit: ["renewals.undo sharedHost"],
  },
  "renewals.cancel": {
    events: ["renewal.cancelled request"],
    audit: ["renewals.cancel host"],
  },
  "notices.read": { events: ["notices.read"] },
  "notices.delete": { events: ["notices.read client"], audit: ["notices.delete client"] },
  "settings.update": { events: ["settings.changed"] },
  "securitySettings.update": { events: ["securitySettings.changed"] },
  "reminders.updateSettings": { events: ["reminders.changed"] },
  "reminders.send": {
    events: ["notice.created client", "reminders.changed"],
    audit: ["reminders.send host"],
  },
};

const PLACE = "EVENTS in test/authorization/events-of-mutations.test.ts";
/** Reads that the audit log tells of: files with rows. */
const EXPORTS = restProcedures(appRouter).filter(
  ({ path, meta }) => meta.answer === "csv" && !path.endsWith(".importTemplate"),
);
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

  it.each(SUCCESSFUL)(
    "$name publishes and records what the list says",
    async ({ row, name, actor }) => {
      await row.prepare?.(fixture);
      const newest = await newestEntry();

      const { code, body, events } = await act(row, actor);

      expect([code, body]).toEqual([null, body]);
      const { events: expected = "nothing said", audit = [row.call] } = EVENTS[name] ?? {};
      const place = `${PLACE} says of ${name}`;
      expect(events, place).toEqual(Array.isArray(expected) ? expected : []);
      expect(await entriesAfter(newest), place).toEqual(audit);
    },
  );

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

  it.each(EXPORTS)("$path publishes nothing and records that it has begun", async ({ path }) => {
    const row = TABLE.find(({ call }) => call === path);
    if (row === undefined) throw new Error(`test/authorization/table.ts has no ${path}`);
    const newest = await newestEntry();

    const { code, events } = await act(row, "superAdmin");

    expect([code, events, await entriesAfter(newest)]).toEqual([null, [], [path]]);
  });

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

  async function newestEntry(): Promise<number> {
    const [row] = await fixture.app.database.query(
      "select coalesce(max(seq), 0)::int as seq from audit_entries",
    );
    return Number(row?.seq);
  }

  /** What was done, and which row of the world it names, in alphabetical order. */
  async function entriesAfter(newest: number): Promise<string[]> {
    const rows = await fixture.app.database.query(
      "select action, subject_id from audit_entries where seq > $1 and outcome = 'ok'",
      [newest],
    );
    const entries = rows.map(({ action, subject_id: id }) =>
      [action, ...rowsIn(String(id))].join(" "),
    );
    return entries.toSorted();
  }

  /** The names of the rows whose ids are in the text. */
  function rowsIn(text: string): string[] {
    const named = [...fixture.rows].filter(([, { id }]) => text.includes(id));
    return named.map(([name]) => name).toSorted();
  }
});
