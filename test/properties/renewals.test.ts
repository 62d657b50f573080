import fc from "fast-check";
import { beforeEach, expect, it } from "vitest";
import type { RenewalDecision } from "../../src/shared/renewals.ts";
import { type Account, useApp } from "../harness/app.ts";
import { fixedClock } from "../harness/clocks.ts";
import { DAY, insertHost, MISSING } from "../harness/data.ts";
import type { RestAnswer } from "../harness/rest.ts";
import { restoreSnapshot, type Snapshot, takeSnapshot } from "../harness/snapshot.ts";
import { type ModelUser, RenewalsModel } from "./renewals-model.ts";

/** Multiplies the number of runs. */
const MORE_RUNS = Number(process.env.PROPERTY_RUNS ?? 1);
/** Unset: other actions at every run. */
const SEED = process.env.PROPERTY_SEED;
const FOREVER = 1_000_000_000;
const HOST_EXPIRY = 1_990_000_000;
const clock = fixedClock();
const app = useApp({ overrides: { clock }, config: { session: { ttl: FOREVER, idle: FOREVER } } });

/** Accounts: the super admin, two clients, two admins. Hosts: two, and one that does not exist. */
const client = fc.constantFrom(1, 2);
const anybody = fc.constantFrom(1, 1, 1, 2, 2, 2, 3, 4);
const host = fc.constantFrom(0, 0, 0, 1, 1, 1, 2);
const request = fc.nat(15);
const days = fc.constantFrom(1, 30, 365);
const start = fc.constantFrom(-40 * DAY, -DAY, 0, 0, 1);
const length = fc.constantFrom(DAY, DAY, 30 * DAY, 30 * DAY, 365 * DAY, 365 * DAY, DAY - 1, 365 * DAY + 1);
const decision = fc.constantFrom<RenewalDecision>("approved", "approved", "completed", "completed", "rejected");
const anyAction = fc.oneof(
  { weight: 6, arbitrary: fc.record({ call: fc.constant("assign"), host, user: anybody, start, length }) },
  { weight: 1, arbitrary: fc.record({ call: fc.constant("unassign"), host, user: client }) },
  { weight: 9, arbitrary: fc.record({ call: fc.constant("request"), user: client, host, days }) },
  { weight: 8, arbitrary: fc.record({ call: fc.constant("decide"), request, decision }) },
  { weight: 2, arbitrary: fc.record({ call: fc.constant("cancel"), user: client, request }) },
  { weight: 1, arbitrary: fc.record({ call: fc.constant("remove"), user: anybody }) },
  { weight: 2, arbitrary: fc.record({ call: fc.constant("move"), user: client, admin: fc.constantFrom(3, 4, null) }) },
  { weight: 2, arbitrary: fc.record({ call: fc.constant("forward"), seconds: fc.constantFrom(1, DAY, 29 * DAY) }) },
  { weight: 2, arbitrary: fc.record({ call: fc.constant("read"), user: fc.nat(4) }) },
);
type Action = typeof anyAction extends fc.Arbitrary<infer Value> ? Value : never;
/** Both clients have a host to begin with. */
const OPENING: readonly Action[] = [
  { call: "assign", host: 0, user: 1, start: 0, length: 30 * DAY },
  { call: "assign", host: 1, user: 2, start: -40 * DAY, length: 30 * DAY },
];
// Without the library's bias for short sequences, which rarely reach an interesting state.
const anySequence = fc.noBias(fc.array(anyAction, { minLength: 1, maxLength: 40, size: "max" }));

interface Player {
  readonly account: Account;
  readonly user: ModelUser;
}

let accounts: readonly Account[];
let adminIds: readonly (string | null)[];
let hosts: readonly string[];
let opening: Snapshot;

beforeEach(async () => {
  clock.rewind();
  const admins = [await app.account("admin"), await app.account("admin")];
  const clients = [await app.account("client", { adminId: admins[0]?.id ?? "" }), await app.account("client")];
  accounts = [app.root, ...clients, ...admins];
  adminIds = [null, admins[0]?.id ?? "", null, null, null];
  hosts = [await insertHost(app, { expire_time: HOST_EXPIRY }), await insertHost(app, { expire_time: HOST_EXPIRY })];
  opening = await takeSnapshot(app.database);
});

it("after any sequence of assignments, requests and decisions, answers, states and dates are those of the model", {
  timeout: 120_000 * MORE_RUNS,
}, async () => {
  const property = fc.asyncProperty(anySequence, async (actions) => {
    clock.rewind();
    await restoreSnapshot(app.database, opening);
    await app.database.query("delete from events");
    const roles = ["super_admin", "client", "client", "admin", "admin"] as const;
    const players = accounts.map((account, i): Player => {
      const user = { id: account.id, role: roles[i] ?? "client", adminId: adminIds[i] ?? null, isRemoved: false };
      return { account, user };
    });
    const users = players.map(({ user }) => user);
    const model = new RenewalsModel(users, clock.now);
    for (const each of [...OPENING, ...actions]) await play(model, players, each);
    for (const player of players) await expectReads(model, player);
    await expectHistory(model);
  });
  const numRuns = Math.ceil(15 * MORE_RUNS);
  await fc.assert(property, SEED === undefined ? { numRuns } : { numRuns, seed: Number(SEED) });
});

/** Makes the call, and expects the model's verdict. */
async function play(model: RenewalsModel, players: readonly Player[], action: Action): Promise<unknown> {
  const check = (answer: RestAnswer, verdict: string) =>
    expect(answer.status < 300 ? "OK" : answer.data.code, JSON.stringify(action)).toBe(verdict);
  const player = (index: number) => players[index] ?? fail();
  const root = player(0);
  const { account, user } = "user" in action ? player(action.user) : root;
  const hostId = "host" in action ? (hosts[action.host] ?? MISSING) : MISSING;
  const request = "request" in action ? model.requests[action.request % model.requests.length] : undefined;
  switch (action.call) {
    case "assign": {
      const from = clock.now() + action.start;
      const to = from + action.length;
      // A start of now is left out, so that the server takes its own; then it allows some seconds of clock difference.
      const isLeftOut = action.start === 0 && action.length % DAY === 0;
      const start = isLeftOut ? {} : { assignedAt: from };
      const input = { hostId, userId: user.id, assignedExpireTime: to, ...start };
      return check(await app.root.post("/api/hosts/assign", input), model.assign(hostId, user, { from, to }));
    }
    case "unassign": {
      const answer = await app.root.post("/api/hosts/unassign", { hostId, userId: user.id });
      return check(answer, model.unassign(hostId, user));
    }
    case "request": {
      const answer = await account.post("/api/renewals", { hostId, requestedDuration: action.days });
      return check(answer, model.request(user, hostId, { days: action.days, id: answer.data.id }));
    }
    case "decide": {
      if (request === undefined) return;
      const input = { status: action.decision, adminRemark: "已核对" };
      const answer = await app.root.put(`/api/renewals/${request.id}/process`, input);
      return check(answer, model.decide(request, action.decision, root.user));
    }
    case "cancel": {
      if (request === undefined) return;
      return check(await account.delete(`/api/renewals/${request.id}`), model.cancel(request, user));
    }
    case "remove":
      return check(await app.root.delete(`/api/users/${user.id}`), model.remove(user));
    case "move": {
      const admin = action.admin === null ? null : player(action.admin).user;
      const answer = await app.root.put(`/api/users/${user.id}`, { adminId: admin?.id ?? null });
      return check(answer, model.move(user, admin));
    }
    case "forward":
      return clock.forward(action.seconds);
    case "read":
      return await expectReads(model, { account, user });
  }
}

/** Hosts and requests as this user sees them. */
async function expectReads(model: RenewalsModel, { account, user }: Player): Promise<void> {
  const [list, requests] = [await account.get("/api/hosts"), await account.get("/api/renewals?limit=100")];
  if (user.isRemoved) return expect([list.status, requests.status]).toEqual([401, 401]);
  const isClient = user.role === "client";
  const visible = hosts.flatMap((id) => {
    const assignments = model.assignmentsOf(user, id);
    if (assignments.length === 0 && user.role !== "super_admin") return [];
    const users = assignments.map((each) => ({ id: each.user.id, assignedAt: each.from, assignedExpireTime: each.to }));
    return [{ id, expireTime: isClient ? assignments[0]?.to : HOST_EXPIRY, users: users.toSorted(byId) }];
  });
  const shown = list.data.hosts.map((each: { users: Row[] }) => ({ ...each, users: each.users.toSorted(byId) }));
  expect(shown.toSorted(byId)).toMatchObject(visible.toSorted(byId));
  const requested = model.requestsOf(user).map(({ id, assignment, days, status, processedAt, processedBy }) => ({
    id,
    host: { id: assignment.hostId, expireTime: isClient ? assignment.to : HOST_EXPIRY },
    user: { id: assignment.user.id },
    requestedDuration: days,
    status,
    processedAt,
    processedBy: isClient || processedBy === null ? null : { id: processedBy },
    assignedExpireTime: assignment.to,
  }));
  expect(requests.data.requests).toMatchObject(requested);
}

/** One event for each request, and one for its decision or end. */
async function expectHistory({ requests }: RenewalsModel): Promise<void> {
  const rows = await app.database.query(
    `select payload->>'renewalId' as id, array_agg(type order by id) as events from events
     where type like 'renewal.%' group by 1 order by 1`,
  );
  expect(rows).toEqual(requests.map(({ id, events }) => ({ id, events })).toSorted(byId));
}

interface Row {
  readonly id: string;
}

function byId(one: Row, other: Row): number {
  return one.id < other.id ? -1 : 1;
}

function fail(): never {
  throw new Error("no such account");
}
