import fc from "fast-check";
import { v7 } from "uuid";
import { expect, it } from "vitest";
import { StoredEvent } from "../../src/server/events/event.ts";
import type { StreamEvent } from "../../src/shared/events.ts";
import { RenewalStatus } from "../../src/shared/renewals.ts";
import { DAY, insertHosts, now } from "../harness/data.ts";
import { follow } from "../sockets/raw-client.ts";
import { openSession, progress, settingsChanged, useReplica } from "../sockets/replica.ts";
import {
  CLIENTS,
  CONFIG,
  DELETED,
  type Fixture,
  type Holding,
  type ModelEvent,
  PERIODS,
  ROLES,
  receives,
} from "./event-recipients-model.ts";

const replica = useReplica();
const RUNS = Number(process.env.EVENT_RUNS ?? 10);
const HOSTS = 3;
const FOLLOWERS = [...ROLES.keys()].filter((user) => user !== DELETED);
const NAMES = { user_name: "", user_username: "" };

const client = fc.constantFrom(...CLIENTS);
const host = fc.nat(HOSTS - 1);
const adminOf = fc.record(Object.fromEntries(CLIENTS.map((each) => [each, fc.constantFrom(1, 2, null)])));
const modelEvent: fc.Arbitrary<ModelEvent> = fc.oneof(
  fc.record({ type: fc.constantFrom("sync.progress", "sync.finished", "removals.changed", "settings.changed") }),
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
  const rows = await insert(fixture);
  await using stack = new AsyncDisposableStack();
  const followers = await Promise.all(
    FOLLOWERS.map(async (user) => ({ user, ...(await openSession(replica.database, rows.users[user] ?? "")) })),
  );
  const expectReceived = async (given: Fixture, after?: string) => {
    const streams = followers.map(async ({ user, token }) => ({
      user,
      stream: stack.use(await follow(replica.url, token, after)),
    }));
    const opened = await Promise.all(streams);
    const start = opened[0]?.stream.events[0]?.id;
    if (after === undefined) {
      await replica.append(...events.map((event) => stored(rows, event)), settingsChanged(true));
    }
    for (const { user, stream } of opened) {
      await stream.until(({ events: received }) => isLast(received.at(-1)?.event));
      const [ready, ...received] = stream.events.map(({ event }) => event);
      expect(ready?.type).toBe("stream.ready");
      const expected = events.flatMap((event) => receives(given, user, event) ?? []);
      const shown = received.slice(0, -1).map((event) => inModel(rows, event));
      expect(withoutRepeats(shown), `${ROLES[user]} ${user}`).toEqual(withoutRepeats(expected));
    }
    return start;
  };
  const start = await expectReceived(fixture);
  for (const each of CLIENTS) {
    const admin = laterAdminOf[each] ?? null;
    const ids = [admin === null ? null : rows.users[admin], rows.users[each]];
    await replica.database.query("update users set admin_id = $1 where id = $2", ids);
  }
  await expectReceived({ ...fixture, adminOf: laterAdminOf }, start);
}

interface Rows {
  readonly users: readonly string[];
  readonly hosts: readonly string[];
  /** By `client host`. */
  readonly renewals: ReadonlyMap<string, string>;
}

async function insert({ adminOf, holdings }: Fixture): Promise<Rows> {
  await replica.database.clear();
  const hosts = await insertHosts(replica, Array(HOSTS).fill({}));
  const users = ROLES.map(() => v7());
  const renewals = new Map<string, string>();
  const insertRows = (table: string, rows: readonly object[]) =>
    replica.database.query(`insert into ${table} select * from jsonb_populate_recordset(null::${table}, $1::jsonb)`, [
      JSON.stringify(rows),
    ]);
  const living = FOLLOWERS.map((user) => ({
    id: users[user],
    username: `user${user}`,
    password_hash: "",
    name: "",
    role: ROLES[user],
    admin_id: users[adminOf[user] ?? -1] ?? null,
    is_active: true,
    must_change_password: false,
    created_at: 1,
  }));
  const held = CLIENTS.flatMap((user) =>
    (holdings[user] ?? []).flatMap(({ period, renewal }, host) => {
      if (period === "none") return [];
      const [from, to, ended] = TIMES[period].map((days) => (days === null ? null : now() + days * DAY));
      const [id, requestId] = [v7(), v7()];
      renewals.set(`${user} ${host}`, requestId);
      const both = { host_id: hosts[host], user_id: users[user], ...NAMES };
      const times = { assigned_at: from, assigned_expire_time: to, created_at: from, ended_at: ended };
      const assignment = { ...both, ...times, id, assigned_by: users[0], assigned_by_name: "" };
      const request = {
        ...both,
        id: requestId,
        assignment_id: id,
        requested_duration: 30,
        status: renewal,
        created_at: 1,
      };
      return [{ assignment, request }];
    }),
  );
  await insertRows("users", living);
  await insertRows(
    "assignments",
    held.map(({ assignment }) => assignment),
  );
  await insertRows(
    "renewals",
    held.map(({ request }) => request),
  );
  return { users, hosts, renewals };
}

/** Start, expiry and end of an assignment, in days from now. */
const TIMES = {
  current: [-1, 1, null],
  expired: [-2, -1, null],
  future: [1, 2, null],
  ended: [-2, 1, -1],
  endedBeforeBegin: [-1, 1, -2],
} as const;

function stored({ users, hosts, renewals }: Rows, event: ModelEvent): StoredEvent {
  const { type } = event;
  const dataOf = () => {
    switch (type) {
      case "settings.changed":
        return settingsChanged(false).data;
      case "sync.progress":
      case "sync.finished":
        return progress(1).data;
      case "removals.changed":
        return { configId: CONFIG };
      case "hosts.changed":
        return {
          configId: event.isOfConfig ? CONFIG : null,
          hostIds: event.hosts.map((each) => hosts[each]),
          userId: users[event.client ?? -1],
          formerAdminId: users[event.formerAdmin ?? -1],
        };
      case "assignment.changed":
        return { hostId: hosts[event.host], userId: users[event.client] };
      default:
        return { renewalId: renewals.get(`${event.client} ${event.host}`) };
    }
  };
  return StoredEvent.parse({ type, data: dataOf() });
}

function inModel({ hosts, renewals }: Rows, { type, data }: StreamEvent): unknown {
  switch (type) {
    case "sync.progress":
    case "sync.finished":
      return { type, data: "run" };
    case "settings.changed":
      return { type, data: "settings" };
    case "assignment.changed":
      return { type, data: { host: hosts.indexOf(data.hostId) } };
    case "renewal.created":
    case "renewal.processed":
    case "renewal.cancelled": {
      const [pair = ""] = [...renewals].find(([, id]) => id === data.id) ?? [];
      const [owner, of] = pair.split(" ").map(Number);
      return { type, data: { client: owner, host: of, status: data.status } };
    }
    default:
      return { type, data };
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
