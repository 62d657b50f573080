import fc from "fast-check";
import { v7 } from "uuid";
import { expect, it } from "vitest";
import { hashToken } from "../../src/server/auth/sessions.ts";
import type { StoredEvent } from "../../src/server/events/event.ts";
import type { StreamEvent } from "../../src/shared/events.ts";
import { RenewalStatus } from "../../src/shared/renewals.ts";
import { SyncRun } from "../../src/shared/sync.ts";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import { useApp } from "../harness/app.ts";
import { insertHosts, now } from "../harness/data.ts";
import { append, progress, settingsChanged } from "../harness/events.ts";
import { follow, type RawClient } from "../harness/raw-client.ts";
import {
  ADMINS,
  CLIENTS,
  CONFIG,
  DELETED,
  type Fixture,
  HOSTS,
  type Holding,
  PAIRS,
  PERIODS,
  ROLES,
  receives,
} from "./event-recipients-model.ts";

const app = useApp();
const RUNS = Number(process.env.EVENT_RUNS ?? 10);
const FOLLOWERS = [...ROLES.keys()];
const RUN = SyncRun.parse(progress(1).data);

const userId = fc.constantFrom(...CLIENTS);
const hostId = fc.constantFrom(...HOSTS);
const adminOf = fc.record(Object.fromEntries(CLIENTS.map((id) => [id, fc.constantFrom(...ADMINS, null)])));
const storedEvent: fc.Arbitrary<StoredEvent> = fc.oneof(
  fc.constantFrom<StoredEvent>(
    { type: "sync.progress", data: RUN },
    { type: "sync.finished", data: RUN },
    { type: "removals.changed", data: { configId: CONFIG } },
    settingsChanged(false),
  ),
  fc.record({
    type: fc.constant("hosts.changed"),
    data: fc.record({
      configId: fc.constantFrom(CONFIG, null),
      hostIds: fc.uniqueArray(hostId),
      userId: fc.option(userId, { nil: undefined }),
      formerAdminId: fc.option(fc.constantFrom(...ADMINS), { freq: 3 }),
    }),
  }),
  fc.record({ type: fc.constant("assignment.changed"), data: fc.record({ hostId, userId }) }),
  fc.record({
    type: fc.constantFrom("renewal.created", "renewal.processed", "renewal.cancelled"),
    data: fc.record({ renewalId: fc.constantFrom(...PAIRS.map(({ renewalId }) => renewalId)) }),
  }),
);
const scenario = fc.record({
  adminOf,
  laterAdminOf: adminOf,
  holdings: fc.tuple(...PAIRS.map(holdingOf)),
  events: fc.array(storedEvent, { minLength: 1, maxLength: 12 }),
});

/** Nothing of a deleted client is current or pending. */
function holdingOf(pair: Pick<Holding, "client" | "host" | "renewalId">): fc.Arbitrary<Holding> {
  const isDeleted = pair.client === DELETED;
  const periods = isDeleted ? (["none", "ended", "endedBeforeBegin"] as const) : PERIODS;
  const statuses = RenewalStatus.options.filter((status) => !isDeleted || status !== "pending");
  const state = fc.record({ period: fc.constantFrom(...periods), status: fc.constantFrom(...statuses) });
  return state.map((each) => ({ ...pair, ...each }));
}

it("every event reaches exactly the users whose scope covers it, live and replayed after clients changed admins", {
  timeout: RUNS * 10_000,
}, async () => {
  const property = fc.asyncProperty(scenario, async ({ events, laterAdminOf, ...fixture }) => {
    // A request for more time needs an assignment.
    const impossible = fixture.holdings.flatMap(({ period, renewalId }) => (period === "none" ? [renewalId] : []));
    const possible = events.filter(({ data }) => !("renewalId" in data && impossible.includes(data.renewalId)));
    await expectRecipients(fixture, laterAdminOf, possible);
  });
  await fc.assert(property, { numRuns: RUNS });
});

async function expectRecipients(
  fixture: Fixture,
  laterAdminOf: Fixture["adminOf"],
  events: readonly StoredEvent[],
): Promise<void> {
  await insert(fixture);
  await using stack = new AsyncDisposableStack();
  const openStreams = (after?: string) =>
    Promise.all(FOLLOWERS.map(async (token) => stack.use(await follow(app.url, token, after))));
  const live = await openStreams();
  await append(app, ...events, settingsChanged(true));
  await expectReceived(fixture, events, live);
  for (const [client, admin] of Object.entries(laterAdminOf)) {
    await app.database.query("update users set admin_id = $1 where id = $2", [admin, client]);
  }
  const replayed = await openStreams(live[0]?.events[0]?.id);
  await expectReceived({ ...fixture, adminOf: laterAdminOf }, events, replayed);
}

async function expectReceived(
  fixture: Fixture,
  events: readonly StoredEvent[],
  streams: readonly RawClient[],
): Promise<void> {
  for (const [index, user] of FOLLOWERS.entries()) {
    const stream = streams[index];
    await stream?.until(({ events: received }) => isLast(received.at(-1)?.event));
    const [ready, ...received] = stream?.events.map(({ event }) => event) ?? [];
    expect(ready?.type).toBe("stream.ready");
    const expected = events.flatMap((event) => receives(fixture, user, event) ?? []);
    expect(withoutRepeats(received.slice(0, -1)), `${ROLES.get(user)} ${user}`).toEqual(withoutRepeats(expected));
  }
}

async function insert({ adminOf, holdings }: Fixture): Promise<void> {
  await app.database.clear();
  await insertHosts(
    app,
    HOSTS.map((id) => ({ id })),
  );
  const account = { password_hash: "", name: "", is_active: true, must_change_password: false, created_at: 1 };
  const users = [...ROLES].map(([id, role]) => ({ ...account, id, username: id, role, admin_id: adminOf[id] ?? null }));
  const held = holdings.flatMap(({ client, host, period, renewalId, status }) => {
    if (period === "none") return [];
    const [from, to, ended] = TIMES[period].map((days) => (days === null ? null : now() + days * DAY_SECONDS));
    const both = { host_id: host, user_id: client, user_name: "", user_username: "" };
    const times = { assigned_at: from, assigned_expire_time: to, created_at: from, ended_at: ended };
    const assignment = { ...both, ...times, id: v7(), assigned_by: FOLLOWERS[0], assigned_by_name: "" };
    const copied = { host_name: "", host_cpu: 1, host_memory: 1024 };
    const request = { ...copied, requested_duration: 30, status, created_at: 1, assignment_id: assignment.id };
    return [{ assignment, renewal: { ...both, ...request, id: renewalId } }];
  });
  // The token of each user's session is the user's id.
  const sessions = FOLLOWERS.map((id) => ({
    ...{ id, user_id: id, token_hash: `\\x${hashToken(id).toString("hex")}`, ip: "", user_agent: "" },
    ...{ created_at: now(), last_used_at: now(), expires_at: now() + DAY_SECONDS },
  }));
  await insertRows("users", users);
  await insertRows("sessions", sessions);
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
  await app.database.query(`insert into ${table} ${values}`, [JSON.stringify(rows)]);
}

/** Start, expiry and end of an assignment, in days from now. */
const TIMES = {
  current: [-1, 1, null],
  expired: [-2, -1, null],
  future: [1, 2, null],
  ended: [-2, 1, -1],
  endedBeforeBegin: [-1, 1, -2],
} as const;

/** Equal hints in a row may be delivered as one. */
function withoutRepeats(events: readonly unknown[]): unknown[] {
  const texts = events.map((event) => JSON.stringify(event));
  return events.filter((_, index) => texts[index] !== texts[index - 1] || !texts[index]?.includes("hosts.changed"));
}

function isLast(event: StreamEvent | undefined): boolean {
  return event?.type === "settings.changed" && event.data.show_network_info_to_client === true;
}
