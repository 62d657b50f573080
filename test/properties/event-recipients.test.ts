import fc from "fast-check";
import { v7 } from "uuid";
import { expect, it } from "vitest";
import { StoredEvent } from "../../src/server/events/event.ts";
import type { StreamEvent } from "../../src/shared/events.ts";
import { DAY, insertHosts, now } from "../harness/data.ts";
import { follow } from "../sockets/raw-client.ts";
import { openSession, progress, settingsChanged, useReplica } from "../sockets/replica.ts";
import {
  CONFIG,
  type Fixture,
  type ModelEvent,
  PERIODS,
  type Period,
  type Person,
  receives,
} from "./event-recipients-model.ts";

const replica = useReplica();
const RUNS = Number(process.env.EVENT_RUNS ?? 10);
const HOSTS = 3;
const NAMES = { user_name: "", user_username: "" };
const PEOPLE = ["super_admin", "admin", "admin", "client", "client", "client", "client"] as const;
const CLIENTS = [3, 4, 5, 6];
const STATUSES = ["pending", "approved", "rejected", "completed", "cancelled"] as const;

const client = fc.constantFrom(...CLIENTS);
const host = fc.nat(HOSTS - 1);
const admins = fc.tuple(...CLIENTS.map(() => fc.constantFrom(1, 2, null)));
const renewals = fc.array(fc.record({ client, host, status: fc.constantFrom(...STATUSES) }), {
  minLength: 1,
  maxLength: 4,
});
const modelEvent: fc.Arbitrary<ModelEvent> = fc.oneof(
  fc.record({ type: fc.constantFrom("sync.progress", "sync.finished", "removals.changed", "settings.changed") }),
  fc.record({
    type: fc.constant("hosts.changed"),
    isOfConfig: fc.boolean(),
    hosts: fc.uniqueArray(host),
    client: fc.option(client),
    formerAdmin: fc.option(fc.constantFrom(1, 2), { freq: 3 }),
  }),
  fc.record({ type: fc.constant("assignment.changed"), host, client }),
  fc.record({
    type: fc.constantFrom("renewal.created", "renewal.processed", "renewal.cancelled"),
    renewal: fc.constant(0),
  }),
);
const scenario = fc.record({
  admins,
  laterAdmins: admins,
  deleted: fc.option(client, { freq: 3 }),
  periods: fc.tuple(
    ...CLIENTS.map(() => fc.tuple(...Array.from({ length: HOSTS }, () => fc.constantFrom(...PERIODS)))),
  ),
  renewals,
  events: fc.array(fc.tuple(modelEvent, fc.nat(3)), { minLength: 1, maxLength: 12 }),
});
type Scenario = typeof scenario extends fc.Arbitrary<infer Value> ? Value : never;

it("every event reaches exactly the users whose scope covers it, live and replayed after clients changed admins", {
  timeout: RUNS * 10_000,
}, async () => {
  await fc.assert(fc.asyncProperty(scenario, expectRecipients), { numRuns: RUNS });
});

async function expectRecipients(given: Scenario): Promise<void> {
  const fixture = fixtureOf(given, given.admins);
  const events = given.events.flatMap(([event, pick]): ModelEvent[] => {
    if (!("renewal" in event)) return [event];
    return fixture.renewals.length === 0 ? [] : [{ ...event, renewal: pick % fixture.renewals.length }];
  });
  const rows = await insert(fixture);
  const followers = fixture.people.flatMap(({ isDeleted }, index) => (isDeleted ? [] : [index]));
  await using stack = new AsyncDisposableStack();
  const tokens = await Promise.all(followers.map((index) => openSession(replica.database, rows.people[index] ?? "")));
  const streams = await Promise.all(tokens.map(async ({ token }) => stack.use(await follow(replica.url, token))));
  const start = streams[0]?.events[0]?.id;

  await replica.append(...events.map((event) => stored(rows, event)), settingsChanged(true));
  for (const [index, stream] of streams.entries()) {
    await stream.until(({ events: got }) => isLast(got.at(-1)?.event));
    const viewer = followers[index] ?? -1;
    expect(shown(rows, stream.events), `live, ${PEOPLE[viewer]} ${viewer}`).toEqual(expected(fixture, viewer, events));
  }

  const later = fixtureOf(given, given.laterAdmins);
  for (const [index, { admin }] of later.people.entries()) {
    const adminId = admin === null ? null : rows.people[admin];
    await replica.database.query("update users set admin_id = $1 where id = $2", [adminId, rows.people[index]]);
  }
  await Promise.all(
    tokens.map(async ({ token }, index) => {
      await using stream = await follow(replica.url, token, start);
      await stream.until(({ events: got }) => isLast(got.at(-1)?.event));
      const viewer = followers[index] ?? -1;
      const replayed = expected(later, viewer, events);
      expect(shown(rows, stream.events), `replayed, ${PEOPLE[viewer]} ${viewer}`).toEqual(replayed);
    }),
  );
}

function fixtureOf({ deleted, periods, renewals: requested }: Scenario, of: Scenario["admins"]): Fixture {
  const people = PEOPLE.map((role, index): Person => {
    return { role, admin: of[index - (CLIENTS[0] ?? 0)] ?? null, isDeleted: index === deleted };
  });
  const known = CLIENTS.map((each, row): [number, Period[]] => [
    each,
    (periods[row] ?? []).map((p) => kept(p, each === deleted)),
  ]);
  // One pending request for each client and host; a request needs an assignment.
  const pending = new Set<string>();
  const kinds = Object.fromEntries(known);
  const all = requested.flatMap((each) => {
    if (kinds[each.client]?.[each.host] === "none") return [];
    const key = `${each.client} ${each.host}`;
    const isSecond = each.status === "pending" && (pending.has(key) || each.client === deleted);
    if (each.status === "pending") pending.add(key);
    return [isSecond ? { ...each, status: "cancelled" as const } : each];
  });
  return { people, periods: kinds, renewals: all };
}

function kept(period: Period, isDeleted: boolean): Period {
  if (!isDeleted || period === "none") return period;
  return period === "future" || period === "endedBeforeBegin" ? "endedBeforeBegin" : "ended";
}

interface Rows {
  readonly people: readonly string[];
  readonly hosts: readonly string[];
  readonly renewals: readonly string[];
}

async function insert(fixture: Fixture): Promise<Rows> {
  const { database } = replica;
  await database.clear();
  const rows = {
    people: fixture.people.map(() => v7()),
    hosts: await insertHosts(
      replica,
      Array.from({ length: HOSTS }, () => ({})),
    ),
    renewals: fixture.renewals.map(() => v7()),
  };
  const idOf = (person: number | null) => (person === null ? null : (rows.people[person] ?? null));
  const users = fixture.people.flatMap(({ role, admin, isDeleted }, index) => {
    const user = {
      id: idOf(index),
      username: `user${index}`,
      password_hash: "",
      name: "",
      role,
      admin_id: idOf(admin),
    };
    return isDeleted ? [] : [{ ...user, is_active: true, must_change_password: false, created_at: 1 }];
  });
  const assignments = Object.entries(fixture.periods).flatMap(([person, periods]) =>
    periods.flatMap((period, host) => {
      if (period === "none") return [];
      const { from, to, ended } = timesOf(period);
      const assignment = { id: v7(), host_id: rows.hosts[host], user_id: idOf(Number(person)), ...NAMES };
      const times = { assigned_at: from, assigned_expire_time: to, created_at: from, ended_at: ended };
      return [{ ...assignment, ...times, assigned_by: idOf(0), assigned_by_name: "" }];
    }),
  );
  const requests = fixture.renewals.map(({ client: person, host, status }, index) => {
    const [host_id, user_id] = [rows.hosts[host], idOf(person)];
    const assignment = assignments.find((each) => each.host_id === host_id && each.user_id === user_id);
    const request = { id: rows.renewals[index], assignment_id: assignment?.id, host_id, user_id, ...NAMES };
    return { ...request, requested_duration: 30, status, created_at: 1 };
  });
  await insertRows("users", users);
  await insertRows("assignments", assignments);
  await insertRows("renewals", requests);
  return rows;
}

async function insertRows(table: string, tuples: readonly object[]): Promise<void> {
  await replica.database.query(
    `insert into ${table} select * from jsonb_populate_recordset(null::${table}, $1::jsonb)`,
    [JSON.stringify(tuples)],
  );
}

function timesOf(period: Exclude<Period, "none">): { from: number; to: number; ended: number | null } {
  const at = now();
  switch (period) {
    case "current":
      return { from: at - DAY, to: at + DAY, ended: null };
    case "expired":
      return { from: at - 2 * DAY, to: at - DAY, ended: null };
    case "future":
      return { from: at + DAY, to: at + 2 * DAY, ended: null };
    case "ended":
      return { from: at - 2 * DAY, to: at + DAY, ended: at - DAY };
    case "endedBeforeBegin":
      return { from: at - DAY, to: at + DAY, ended: at - 2 * DAY };
  }
}

function stored(rows: Rows, event: ModelEvent): StoredEvent {
  const id = (ids: readonly string[], index: number) => ids[index] ?? "";
  switch (event.type) {
    case "settings.changed":
      return settingsChanged(false);
    case "sync.progress":
    case "sync.finished":
      return StoredEvent.parse({ ...progress(1), type: event.type });
    case "removals.changed":
      return { type: event.type, data: { configId: CONFIG } };
    case "hosts.changed": {
      const { isOfConfig, hosts, client: named, formerAdmin } = event;
      return {
        type: event.type,
        data: {
          configId: isOfConfig ? CONFIG : null,
          hostIds: hosts.map((each) => id(rows.hosts, each)),
          ...(named === null ? {} : { userId: id(rows.people, named) }),
          ...(formerAdmin === null ? {} : { formerAdminId: id(rows.people, formerAdmin) }),
        },
      };
    }
    case "assignment.changed":
      return { type: event.type, data: { hostId: id(rows.hosts, event.host), userId: id(rows.people, event.client) } };
    case "renewal.created":
    case "renewal.processed":
    case "renewal.cancelled":
      return { type: event.type, data: { renewalId: id(rows.renewals, event.renewal) } };
  }
}

/** The received events as the model names them, without `stream.ready` and the last one. */
function shown(rows: Rows, received: readonly { readonly event: StreamEvent }[]): unknown[] {
  expect(received[0]?.event.type).toBe("stream.ready");
  return withoutRepeats(received.slice(1, -1).map(({ event }) => inModel(rows, event)));
}

function inModel(rows: Rows, { type, data }: StreamEvent): unknown {
  switch (type) {
    case "sync.progress":
    case "sync.finished":
      return { type, data: "run" };
    case "settings.changed":
      return { type, data: "settings" };
    case "assignment.changed":
      return { type, data: { host: rows.hosts.indexOf(data.hostId) } };
    case "renewal.created":
    case "renewal.processed":
    case "renewal.cancelled":
      return { type, data: { ...data, id: rows.renewals.indexOf(data.id) } };
    default:
      return { type, data };
  }
}

function expected(fixture: Fixture, viewer: number, events: readonly ModelEvent[]): unknown[] {
  return withoutRepeats(events.flatMap((event) => receives(fixture, viewer, event) ?? []));
}

/** Equal hints in a row may be delivered as one. */
function withoutRepeats(events: readonly unknown[]): unknown[] {
  const texts = events.map((event) => JSON.stringify(event));
  return events.filter((_, index) => texts[index] !== texts[index - 1] || !texts[index]?.includes("hosts.changed"));
}

function isLast(event: StreamEvent | undefined): boolean {
  return event?.type === "settings.changed" && event.data.show_network_info_to_client === true;
}
