import fc from "fast-check";
import { v7 } from "uuid";
import { expect, it } from "vitest";
import type { StoredEvent } from "../../src/server/events/event.ts";
import type { StreamEvent } from "../../src/shared/events.ts";
import { RenewalStatus } from "../../src/shared/renewals.ts";
import { SyncRun } from "../../src/shared/sync.ts";
import { DAY, insertHosts, now } from "../harness/data.ts";
import { follow, type RawClient } from "../sockets/raw-client.ts";
import { openSession, progress, settingsChanged, useReplica } from "../sockets/replica.ts";
import {
  CLIENTS,
  CONFIG,
  DELETED,
  type Fixture,
  type Holding,
  hostId,
  type ModelEvent,
  PERIODS,
  type PlainEvent,
  ROLES,
  receives,
  renewalId,
  userId,
} from "./event-recipients-model.ts";

const replica = useReplica();
const RUNS = Number(process.env.EVENT_RUNS ?? 10);
const HOSTS = 3;
const FOLLOWERS = [...ROLES.keys()].filter((user) => user !== DELETED);
const RUN = SyncRun.parse(progress(1).data);

const client = fc.constantFrom(...CLIENTS);
const host = fc.nat(HOSTS - 1);
const adminOf = fc.record(Object.fromEntries(CLIENTS.map((each) => [each, fc.constantFrom(1, 2, null)])));
const modelEvent: fc.Arbitrary<ModelEvent> = fc.oneof(
  fc.constantFrom<PlainEvent>(
    { type: "sync.progress", data: RUN },
    { type: "sync.finished", data: RUN },
    { type: "removals.changed", data: { configId: CONFIG } },
    { type: "settings.changed", data: { show_network_info_to_client: false } },
  ),
  fc.record({
    type: fc.constant("hosts.changed"),
    isOfConfig: fc.boolean(),
    hosts: fc.uniqueArray(host),
    client: fc.option(client),
    formerAdmin: fc.option(fc.constantFrom(1, 2), { freq: 3 }),
  }),
  fc.record({
    type: fc.constantFrom("assignment.changed", "renewal.created", "renewal.processed", "renewal.cancelled"),
    client,
    host,
  }),
);
const scenario = fc.record({
  adminOf,
  laterAdminOf: adminOf,
  holdings: fc.record(Object.fromEntries(CLIENTS.map((each) => [each, holdingsOf(each)]))),
  events: fc.array(modelEvent, { minLength: 1, maxLength: 12 }),
});

/** Nothing of a deleted client is current or pending. */
function holdingsOf(owner: number): fc.Arbitrary<Holding[]> {
  const isDeleted = owner === DELETED;
  const periods = isDeleted ? (["none", "ended", "endedBeforeBegin"] as const) : PERIODS;
  const statuses = RenewalStatus.options.filter((status) => !isDeleted || status !== "pending");
  const holding = fc.record({ period: fc.constantFrom(...periods), renewal: fc.constantFrom(...statuses) });
  return fc.array(holding, { minLength: HOSTS, maxLength: HOSTS });
}

it("every event reaches exactly the users whose scope covers it, live and replayed after clients changed admins", {
  timeout: RUNS * 10_000,
}, async () => {
  const property = fc.asyncProperty(scenario, async ({ events, laterAdminOf, ...fixture }) => {
    await expectRecipients(fixture, laterAdminOf, events.filter(isPossible(fixture)));
  });
  await fc.assert(property, { numRuns: RUNS });
});

/** A request for more time needs an assignment. */
function isPossible({ holdings }: Fixture) {
  return (event: ModelEvent) =>
    !("host" in event) ||
    event.type === "assignment.changed" ||
    holdings[event.client]?.[event.host]?.period !== "none";
}

async function expectRecipients(
  fixture: Fixture,
  laterAdminOf: Fixture["adminOf"],
  events: readonly ModelEvent[],
): Promise<void> {
  await insert(fixture);
  await using stack = new AsyncDisposableStack();
  const sessions = await Promise.all(FOLLOWERS.map((user) => openSession(replica.database, userId(user))));
  const openStreams = (after?: string) =>
    Promise.all(sessions.map(async ({ token }) => stack.use(await follow(replica.url, token, after))));
  const live = await openStreams();
  await replica.append(...events.map(stored), settingsChanged(true));
  await expectReceived(fixture, events, live);
  for (const client of CLIENTS) {
    const ids = [idOrNull(laterAdminOf[client]), userId(client)];
    await replica.database.query("update users set admin_id = $1 where id = $2", ids);
  }
  const replayed = await openStreams(live[0]?.events[0]?.id);
  await expectReceived({ ...fixture, adminOf: laterAdminOf }, events, replayed);
}

async function expectReceived(
  fixture: Fixture,
  events: readonly ModelEvent[],
  streams: readonly RawClient[],
): Promise<void> {
  for (const [index, user] of FOLLOWERS.entries()) {
    const stream = streams[index];
    await stream?.until(({ events: received }) => isLast(received.at(-1)?.event));
    const [ready, ...received] = stream?.events.map(({ event }) => event) ?? [];
    expect(ready?.type).toBe("stream.ready");
    const expected = events.flatMap((event) => receives(fixture, user, event) ?? []);
    expect(withoutRepeats(received.slice(0, -1)), `${ROLES[user]} ${user}`).toEqual(withoutRepeats(expected));
  }
}

async function insert({ adminOf, holdings }: Fixture): Promise<void> {
  await replica.database.clear();
  await insertHosts(
    replica,
    Array.from({ length: HOSTS }, (_, host) => ({ id: hostId(host) })),
  );
  const users = FOLLOWERS.map((user) => ({
    id: userId(user),
    username: `user${user}`,
    password_hash: "",
    name: "",
    role: ROLES[user],
    admin_id: idOrNull(adminOf[user]),
    is_active: true,
    must_change_password: false,
    created_at: 1,
  }));
  const pairs = CLIENTS.flatMap((client) =>
    (holdings[client] ?? []).map((holding, host) => ({ ...holding, client, host })),
  );
  const held = pairs.flatMap(({ client, host, period, renewal: status }) => {
    if (period === "none") return [];
    const [from, to, ended] = TIMES[period].map((days) => (days === null ? null : now() + days * DAY));
    const both = { host_id: hostId(host), user_id: userId(client), user_name: "", user_username: "" };
    const times = { assigned_at: from, assigned_expire_time: to, created_at: from, ended_at: ended };
    const assignment = { ...both, ...times, id: v7(), assigned_by: userId(0), assigned_by_name: "" };
    const request = { requested_duration: 30, status, created_at: 1, assignment_id: assignment.id };
    return [{ assignment, renewal: { ...both, ...request, id: renewalId(client, host) } }];
  });
  await insertRows("users", users);
  await insertRows(
    "assignments",
    held.map(({ assignment }) => assignment),
  );
  await insertRows(
    "renewals",
    held.map(({ renewal }) => renewal),
  );
}

async function insertRows(table: string, rows: readonly object[]): Promise<void> {
  const values = `select * from jsonb_populate_recordset(null::${table}, $1::jsonb)`;
  await replica.database.query(`insert into ${table} ${values}`, [JSON.stringify(rows)]);
}

function idOrNull(user: number | null | undefined): string | null {
  return typeof user === "number" ? userId(user) : null;
}

/** Start, expiry and end of an assignment, in days from now. */
const TIMES = {
  current: [-1, 1, null],
  expired: [-2, -1, null],
  future: [1, 2, null],
  ended: [-2, 1, -1],
  endedBeforeBegin: [-1, 1, -2],
} as const;

function stored(event: ModelEvent): StoredEvent {
  switch (event.type) {
    case "hosts.changed": {
      const { type, isOfConfig, hosts, client, formerAdmin } = event;
      const users = { userId: idOrNull(client) ?? undefined, formerAdminId: idOrNull(formerAdmin) };
      return { type, data: { configId: isOfConfig ? CONFIG : null, hostIds: hosts.map(hostId), ...users } };
    }
    case "assignment.changed":
      return { type: event.type, data: { hostId: hostId(event.host), userId: userId(event.client) } };
    case "renewal.created":
    case "renewal.processed":
    case "renewal.cancelled":
      return { type: event.type, data: { renewalId: renewalId(event.client, event.host) } };
    default:
      return event;
  }
}

/** Equal hints in a row may be delivered as one. */
function withoutRepeats(events: readonly unknown[]): unknown[] {
  const texts = events.map((event) => JSON.stringify(event));
  return events.filter((_, index) => texts[index] !== texts[index - 1] || !texts[index]?.includes("hosts.changed"));
}

function isLast(event: StreamEvent | undefined): boolean {
  return event?.type === "settings.changed" && event.data.show_network_info_to_client === true;
}
