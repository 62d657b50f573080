import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestDatabase } from "./harness/database.ts";
import { type RestClient, restClient } from "./harness/rest.ts";
import { type StandingApp, startStandingApp } from "./harness/standing-app.ts";
import { type StatementCounter, startStatementCounter } from "./harness/statement-counter.ts";
import { DAY, insertHost, now } from "./hosts/host-rows.ts";
import { follow, type RawClient } from "./sockets/raw-client.ts";
import { openSession, type SignedIn, signIn } from "./sockets/replica.ts";

const FEW = 5;
const MANY = 50;
/** Background work counts as well; the least of so many calls is the call alone. */
const CALLS = 5;
/** Statements more that an event may take, for those who hear of it may fall into two turns of the loop. */
const SPLIT = 8;

/** Each call with the most statements it may take, the look at the session (one) included. */
const LISTS = [
  ["users.list", "/api/users?role=client&limit=100", "super_admin", 3],
  ["users.list", "/api/users?limit=100", "admin", 3],
  ["hosts.list", "/api/hosts?limit=100", "super_admin", 3],
  ["hosts.list", "/api/hosts?limit=100", "admin", 3],
  ["hosts.list", "/api/hosts?limit=100", "client", 3],
  ["hosts.list by expiry", "/api/hosts?limit=100&sort=expireTime", "super_admin", 3],
  ["hosts.list by expiry", "/api/hosts?limit=100&sort=expireTime", "admin", 3],
  ["hosts.list by expiry", "/api/hosts?limit=100&sort=expireTime", "client", 3],
  ["hosts.summary", "/api/hosts/summary", "super_admin", 2],
  ["hosts.summary", "/api/hosts/summary", "admin", 2],
  ["hosts.summary", "/api/hosts/summary", "client", 2],
  ["hosts.syncRuns", "/api/hosts/sync-runs?limit=100", "super_admin", 3],
  ["configs.list", "/api/hosts/configs/list", "super_admin", 2],
  ["renewals.list", "/api/renewals?limit=100", "super_admin", 3],
  ["renewals.list", "/api/renewals?limit=100", "admin", 3],
  ["renewals.list", "/api/renewals?limit=100", "client", 3],
  ["auth.sessions", "/api/auth/sessions", "client", 2],
] as const;

type Caller = (typeof LISTS)[number][2];
type Tokens = Readonly<Record<Caller, string>>;

let app: StandingApp;
let counter: StatementCounter;

beforeAll(async () => {
  app = await startStandingApp({
    async connectThrough(connection, resources) {
      counter = resources.use(await startStatementCounter(connection));
      return counter.connection;
    },
  });
});
afterAll(() => app[Symbol.asyncDispose]());

describe("a list", () => {
  const counted = new Map<number, number[]>();

  beforeAll(async () => {
    for (const size of [FEW, MANY]) counted.set(size, await countAll(size));
  });

  it.each(LISTS.map(([name, , caller, most], index) => ({ name, caller, most, index })))(
    `$name for a $caller takes as many statements for ${MANY} rows as for ${FEW}, at most $most`,
    ({ index, most }) => {
      const few = counted.get(FEW)?.[index];
      expect(counted.get(MANY)?.[index]).toBe(few);
      expect(few).toBeGreaterThan(1);
      expect(few).toBeLessThanOrEqual(most);
    },
  );

  it("that asked once for each row would be found out, as a batch is, which acts on each host by itself", async () => {
    const { super_admin: token } = await seed(app.database, FEW);
    const hosts = await app.database.query("select id from hosts");
    const [client] = await app.database.query("select id from users where role = 'client'");
    const assign = (count: number) => async () => {
      const hostIds = hosts.slice(0, count).map(({ id }) => id);
      const assignment = { hostIds, userId: client?.id, assignedExpireTime: now() + 30 * DAY };
      const answer = await restClient(app.url, token).post("/api/hosts/batch", { operation: "assign", ...assignment });
      expect(answer.data.results.map(({ ok }: { readonly ok: boolean }) => ok)).toEqual(hostIds.map(() => true));
    };
    expect(await least(assign(FEW))).toBeGreaterThanOrEqual((await least(assign(1))) + FEW - 1);
  });
});

describe("an event", () => {
  const counted = new Map<number, number>();

  beforeAll(async () => {
    for (const size of [FEW, MANY]) counted.set(size, await countDelivery(size));
  });

  it(`that ${MANY} clients and admins hear of takes about as many statements as for ${FEW}`, () => {
    expect(counted.get(MANY)).toBeLessThanOrEqual((counted.get(FEW) ?? 0) + SPLIT);
  });
});

/** What one change of a host, one assignment and one request cost, to the last of the clients, each with an admin, who listen. */
async function countDelivery(size: number): Promise<number> {
  const { super_admin: token } = await seed(app.database, FEW);
  const operator = restClient(app.url, token);
  await using stack = new AsyncDisposableStack();
  const [host] = await app.database.query("select id from hosts");
  const admins: SignedIn[] = [];
  const clients: SignedIn[] = [];
  for (let count = 0; count < size; count++) {
    const admin = await signIn(app.database, "admin");
    const client = await signIn(app.database, "client", admin.userId);
    await assignTo(operator, host?.id, client.userId);
    admins.push(admin);
    clients.push(client);
  }
  const listeners: RawClient[] = [];
  for (const { token: own } of [...admins, ...clients]) {
    listeners.push(stack.use(await follow(`${app.url.replace("http", "ws")}/trpc`, own)));
  }
  const [first] = clients;
  if (first === undefined) throw new Error("nobody to assign to");
  const own = restClient(app.url, first.token);
  let told = 0;
  return await least(async () => {
    await tellOfHost(host?.id);
    await assignTo(operator, host?.id, first.userId);
    const asked = await own.post("/api/renewals", { hostId: host?.id, requestedDuration: 30 });
    expect(asked.status).toBe(201);
    await own.delete(`/api/renewals/${asked.data.id}`);
    expect((await operator.put("/api/system-config", { show_network_info_to_client: true })).status).toBe(200);
    told++;
    await Promise.all(listeners.map((listener) => listener.until((heard) => heardSettings(heard) === told)));
    // The assignment is news to two of them only.
    expect(listeners.map(heardHosts).toSorted((one, other) => one - other)).toEqual([
      ...listeners.slice(2).map(() => told),
      told * 2,
      told * 2,
    ]);
  });
}

/** As a sync does, that found the host changed. */
async function tellOfHost(hostId: unknown): Promise<void> {
  await app.database.query("insert into events (type, payload, created_at) values ('hosts.changed', $1, $2)", [
    JSON.stringify({ configId: null, hostIds: [hostId] }),
    now(),
  ]);
}

function heardSettings({ events }: RawClient): number {
  return events.filter(({ event }) => event.type === "settings.changed").length;
}

function heardHosts({ events }: RawClient): number {
  return events.filter(({ event }) => event.type === "hosts.changed").length;
}

async function assignTo(operator: RestClient, hostId: unknown, userId: string): Promise<void> {
  const { status } = await operator.post("/api/hosts/assign", { hostId, userId, assignedExpireTime: now() + 30 * DAY });
  expect(status).toBeLessThan(300);
}

async function countAll(size: number): Promise<number[]> {
  const tokens = await seed(app.database, size);
  const counts: number[] = [];
  for (const [, path, caller] of LISTS) {
    const client = restClient(app.url, tokens[caller]);
    counts.push(
      await least(async () => {
        const { status, data } = await client.get(path);
        expect([path, status, rowsOf(data)]).toEqual([path, 200, size]);
      }),
    );
  }
  return counts;
}

async function least(call: () => Promise<void>): Promise<number> {
  const counts: number[] = [];
  for (let count = 0; count < CALLS; count++) {
    const before = counter.executed();
    await call();
    counts.push(counter.executed() - before);
  }
  return Math.min(...counts);
}

/** So that a count for no rows is not taken for one. */
function rowsOf(data: unknown): number | undefined {
  if (Array.isArray(data)) return data.length;
  if (typeof data !== "object" || data === null) return undefined;
  if ("total" in data && typeof data.total === "number") return data.total;
  return Object.values(data).find(Array.isArray)?.length;
}

/** So many of everything: clients of one admin, of whom the first has as many hosts, shared with the others, requests and sessions. */
async function seed(database: TestDatabase, size: number): Promise<Tokens> {
  await database.clear();
  const operator = await signIn(database, "super_admin");
  const admin = await signIn(database, "admin");
  const client = await signIn(database, "client", admin.userId);
  for (let count = 1; count < size; count++) await openSession(database, client.userId);
  for (let count = 1; count < size; count++) await signIn(database, "client", admin.userId);
  for (let count = 0; count < size; count++) await insertHost({ database }, { name: `主机-${count}` });
  await database.query(
    `insert into assignments (id, host_id, user_id, user_name, user_username, assigned_at, assigned_expire_time,
       assigned_by, assigned_by_name, created_at)
     select gen_random_uuid(), h.id, u.id, u.name, u.username, 1700000000, 4000000000, u.id, '', 1700000000
     from hosts h cross join users u where u.role = 'client'`,
  );
  await database.query(
    `insert into renewals (id, assignment_id, host_id, user_id, user_name, user_username, requested_duration, status, created_at)
     select gen_random_uuid(), id, host_id, user_id, user_name, user_username, 30, 'pending', 1700000000
     from assignments where user_id = $1`,
    [client.userId],
  );
  await database.query(
    `with made as (
       insert into configs (id, name, public_key, private_key_sealed, api_url, default_region, created_at)
       select gen_random_uuid(), '配置' || n, 'public-key', '', 'https://api.example.com', 'cn-bj2', 1700000000
       from generate_series(1, $1::int) n returning id, name
     )
     insert into sync_runs (id, config_id, config_name, trigger, status, started_at, finished_at)
     select gen_random_uuid(), id, name, 'manual', 'succeeded', 1700000000, 1700000060 from made`,
    [size],
  );
  return { super_admin: operator.token, admin: admin.token, client: client.token };
}
