import fc from "fast-check";
import { v7 } from "uuid";
import { expect, it } from "vitest";
import { StoredEvent } from "../../src/server/events/event.ts";
import type { StreamEvent } from "../../src/shared/events.ts";
import { DAY, insertHosts, now } from "../hosts/host-rows.ts";
import { follow } from "../sockets/raw-client.ts";
import { openSession, progress, settingsChanged, useReplica } from "../sockets/replica.ts";
import {
  CONFIG,
  type ModelEvent,
  PERIODS,
  type Period,
  type Person,
  receives,
  type World,
} from "./recipients-model.ts";

const replica = useReplica();
const WORLDS = Number(process.env.EVENT_WORLDS ?? 15);
const HOSTS = 3;
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
  fc.record({ type: fc.constantFrom("sync.progress", "sync.finished", "settings.changed") }),
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

it("every event reaches all permitted recipients and no others, live and at replay after changes", {
  timeout: WORLDS * 5_000,
}, async () => {
  await fc.assert(fc.asyncProperty(scenario, checkRecipients), { numRuns: WORLDS });
});

async function checkRecipients(given: Scenario): Promise<void> {
  const world = worldOf(given, given.admins);
  const events = given.events.flatMap(([event, pick]): ModelEvent[] => {
    if (!("renewal" in event)) return [event];
    return world.renewals.length === 0 ? [] : [{ ...event, renewal: pick % world.renewals.length }];
  });
  const rows = await insert(world);
  const followers = world.people.flatMap(({ isDeleted }, index) => (isDeleted ? [] : [index]));
  await using stack = new AsyncDisposableStack();
  const tokens = await Promise.all(followers.map((index) => openSession(replica.database, rows.people[index] ?? "")));
  const streams = await Promise.all(tokens.map(async ({ token }) => stack.use(await follow(replica.url, token))));
  const start = streams[0]?.events[0]?.id;

  await replica.append(...events.map((event) => stored(rows, event)), settingsChanged(true));
  for (const [place, stream] of streams.entries()) {
    await stream.until(({ events: got }) => isLast(got.at(-1)?.event));
    const viewer = followers[place] ?? -1;
    expect(shown(rows, stream.events), `live, ${PEOPLE[viewer]} ${viewer}`).toEqual(expected(world, viewer, events));
  }

  const later = worldOf(given, given.laterAdmins);
  for (const [index, { admin }] of later.people.entries()) {
    const adminId = admin === null ? null : rows.people[admin];
    await replica.database.query("update users set admin_id = $1 where id = $2", [adminId, rows.people[index]]);
  }
  for (const [place, { token }] of tokens.entries()) {
    await using stream = await follow(replica.url, token, start);
    await stream.until(({ events: got }) => isLast(got.at(-1)?.event));
    const viewer = followers[place] ?? -1;
    expect(shown(rows, stream.events), `replayed, ${PEOPLE[viewer]} ${viewer}`).toEqual(
      expected(later, viewer, events),
    );
  }
}

function worldOf({ deleted, periods, renewals: requested }: Scenario, of: Scenario["admins"]): World {
  const people = PEOPLE.map((role, index): Person => {
    return { role, admin: of[index - (CLIENTS[0] ?? 0)] ?? null, isDeleted: index === deleted };
  });
  const known = CLIENTS.map((each, row): [number, Period[]] => [
    each,
    (periods[row] ?? []).map((p) => kept(p, each === deleted)),
  ]);
  // A client has one pending request per host, and a request needs an assignment.
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

async function insert(world: World): Promise<Rows> {
  const { database } = replica;
  await database.clear();
  const rows = {
    people: world.people.map(() => v7()),
    hosts: await insertHosts(
      replica,
      Array.from({ length: HOSTS }, () => ({})),
    ),
    renewals: world.renewals.map(() => v7()),
  };
  for (const [index, { role, admin, isDeleted }] of world.people.entries()) {
    if (isDeleted) continue;
    await database.query(
      `insert into users (id, username, password_hash, name, role, admin_id, created_at) values ($1, $2, '', '', $3, $4, 1)`,
      [rows.people[index], `user${index}`, role, admin === null ? null : rows.people[admin]],
    );
  }
  const assignments = new Map<string, string>();
  for (const [person, periods] of Object.entries(world.periods)) {
    for (const [place, period] of periods.entries()) {
      if (period === "none") continue;
      const id = v7();
      assignments.set(`${person} ${place}`, id);
      const { from, to, ended } = timesOf(period);
      await database.query(
        `insert into assignments (id, host_id, user_id, user_name, user_username, assigned_at, assigned_expire_time, assigned_by,
           assigned_by_name, created_at, ended_at) values ($1, $2, $3, '', '', $4, $5, $6, '', $4, $7)`,
        [id, rows.hosts[place], rows.people[Number(person)], from, to, rows.people[0], ended],
      );
    }
  }
  for (const [index, renewal] of world.renewals.entries()) {
    await database.query(
      `insert into renewals (id, assignment_id, host_id, user_id, user_name, user_username, requested_duration, status, created_at)
       values ($1, $2, $3, $4, '', '', 30, $5, 1)`,
      [
        rows.renewals[index],
        assignments.get(`${renewal.client} ${renewal.host}`),
        rows.hosts[renewal.host],
        rows.people[renewal.client],
        renewal.status,
      ],
    );
  }
  return rows;
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

/** Received events in the model's form, without `stream.ready` and the last event. */
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

function expected(world: World, viewer: number, events: readonly ModelEvent[]): unknown[] {
  return withoutRepeats(events.flatMap((event) => receives(world, viewer, event) ?? []));
}

/** Consecutive equal `hosts.changed` events may be merged. */
function withoutRepeats(events: readonly unknown[]): unknown[] {
  const texts = events.map((event) => JSON.stringify(event));
  return events.filter((_, index) => texts[index] !== texts[index - 1] || !texts[index]?.includes("hosts.changed"));
}

function isLast(event: StreamEvent | undefined): boolean {
  return event?.type === "settings.changed" && event.data.show_network_info_to_client === true;
}
