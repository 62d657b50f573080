import fc from "fast-check";
import { beforeEach, expect, it } from "vitest";
import type { Host } from "../../src/shared/hosts.ts";
import type { Renewal, RenewalDecision } from "../../src/shared/renewals.ts";
import { type Account, useApp } from "../harness/app.ts";
import { DAY, insertHost, MISSING as NO_SUCH } from "../harness/data.ts";
import { fixedClock } from "../harness/fixed-clock.ts";
import { restoreSnapshot, type Snapshot, takeSnapshot } from "../harness/snapshot.ts";
import { checkRandomActions, MADE, type Made, mostly, PROPERTY_LIMIT, pick, verdictOf } from "./random-actions.ts";
import { type ModelAssignment, type ModelPerson, type ModelRenewal, renewalsModel } from "./renewals-model.ts";

const clock = fixedClock();
const FOREVER = 1_000_000_000;
const app = useApp({ overrides: { clock }, config: { session: { ttl: FOREVER, idle: FOREVER } } });
const HOST_EXPIRY = 1_990_000_000;

/** Callers: the super admin, two clients, two admins. Hosts: two, and one that does not exist. */
const anybody = fc.nat(4);
const operator = mostly([0], anybody);
const client = mostly([1, 2], anybody);
const host = mostly([0, 1], fc.constant(2));
const NO_RENEWAL = 15;
const renewal = fc.nat(NO_RENEWAL);
const days = mostly([1, 30, 365], fc.constantFrom(0, 366));
const start = fc.constantFrom(-40 * DAY, -DAY, 0, 0, 1);
const length = mostly([DAY, 30 * DAY, 365 * DAY], fc.constantFrom(DAY - 1, 365 * DAY + 1));
const decision = fc.constantFrom<RenewalDecision>("approved", "approved", "completed", "completed", "rejected");
const randomAction = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ call: fc.constant("assign"), actor: operator, host, user: client, start, length }),
  },
  { weight: 1, arbitrary: fc.record({ call: fc.constant("unassign"), actor: operator, host, user: client }) },
  { weight: 9, arbitrary: fc.record({ call: fc.constant("apply"), actor: client, host, days }) },
  { weight: 8, arbitrary: fc.record({ call: fc.constant("process"), actor: operator, renewal, decision }) },
  { weight: 2, arbitrary: fc.record({ call: fc.constant("cancel"), actor: client, renewal }) },
  { weight: 1, arbitrary: fc.record({ call: fc.constant("remove"), user: anybody }) },
  { weight: 2, arbitrary: fc.record({ call: fc.constant("move"), user: client, admin: fc.option(anybody) }) },
  { weight: 2, arbitrary: fc.record({ call: fc.constant("forward"), seconds: fc.constantFrom(1, DAY, 29 * DAY) }) },
  { weight: 2, arbitrary: fc.record({ call: fc.constant("read"), actor: anybody }) },
);
/** Both clients have a host to begin with. */
const OPENING = [
  { call: "assign", actor: 0, host: 0, user: 1, start: 0, length: 30 * DAY },
  { call: "assign", actor: 0, host: 1, user: 2, start: -40 * DAY, length: 30 * DAY },
] as const;
type Model = ReturnType<typeof renewalsModel>;

let cast: readonly Account[];
let people: readonly ModelPerson[];
let hosts: readonly string[];
let opening: Snapshot;

beforeEach(async () => {
  clock.rewind();
  const admins = [await app.account("admin"), await app.account("admin")];
  const clients = [await app.account("client", { adminId: admins[0]?.id ?? "" }), await app.account("client")];
  cast = [app.root, ...clients, ...admins];
  hosts = [await insertHost(app, { expire_time: HOST_EXPIRY }), await insertHost(app, { expire_time: HOST_EXPIRY })];
  people = await Promise.all(cast.map(personOf));
  opening = await takeSnapshot(app.database);
});

it(
  "after any sequence of assignments, requests and decisions, answers, states and dates are those of the model",
  async () => {
    await checkRandomActions(randomAction, {
      runs: 15,
      async run(actions) {
        clock.rewind();
        await restoreSnapshot(app.database, opening);
        await app.database.query("delete from events");
        const model = renewalsModel({ people, now: clock.now });
        for (const each of [...OPENING, ...actions]) await play(model, each);
        for (const account of cast) await expectReads(model, account);
        await expectHistory(model);
      },
    });
  },
  PROPERTY_LIMIT,
);

async function play(model: Model, action: Made<typeof randomAction>): Promise<void> {
  const say = JSON.stringify(action);
  const userId = "user" in action ? pick(people, action.user).id : NO_SUCH;
  // Null stands for a row that does not exist.
  const hostId = "host" in action ? pick([...hosts, null], action.host) : null;
  const isThere = "renewal" in action && action.renewal !== NO_RENEWAL && model.renewals.length > 0;
  const renewal = isThere ? pick(model.renewals, action.renewal) : null;
  const actor = "actor" in action ? pick(cast, action.actor) : app.root;
  switch (action.call) {
    case "assign": {
      const period = { from: clock.now() + action.start, to: clock.now() + action.start + action.length };
      // A start of now is left out, so that the server takes its own.
      const isLeftOut = action.start === 0 && action.length % DAY === 0;
      const times = { assignedExpireTime: period.to, ...(isLeftOut ? {} : { assignedAt: period.from }) };
      const answer = await actor.post("/api/hosts/assign", { hostId: hostId ?? NO_SUCH, userId, ...times });
      return expect(verdictOf(answer), say).toEqual(model.assign(actor.id, hostId, userId, period));
    }
    case "unassign": {
      const answer = await actor.post("/api/hosts/unassign", { hostId: hostId ?? NO_SUCH, userId });
      return expect(verdictOf(answer), say).toEqual(model.unassign(actor.id, hostId, userId));
    }
    case "apply": {
      const input = { hostId: hostId ?? NO_SUCH, requestedDuration: action.days };
      const answer = await actor.post("/api/renewals", input);
      const expected = model.apply(actor.id, hostId, action.days);
      expect(verdictOf(answer), say).toEqual(expected);
      return expected === MADE ? model.applied(answer.data.id, actor.id, hostId, action.days) : undefined;
    }
    case "process": {
      const input = { status: action.decision, adminRemark: "已核对" };
      const answer = await actor.put(`/api/renewals/${renewal?.id ?? NO_SUCH}/process`, input);
      return expect(verdictOf(answer), say).toEqual(model.process(actor.id, renewal, action.decision));
    }
    case "cancel": {
      const answer = await actor.delete(`/api/renewals/${renewal?.id ?? NO_SUCH}`);
      return expect(verdictOf(answer), say).toEqual(model.cancel(actor.id, renewal));
    }
    case "remove":
      if (userId === app.root.id) return;
      return expect(verdictOf(await app.root.delete(`/api/users/${userId}`)), say).toEqual(model.remove(userId));
    case "move": {
      const adminId = action.admin === null ? null : pick(people, action.admin).id;
      const answer = await app.root.put(`/api/users/${userId}`, { adminId });
      return expect(verdictOf(answer), say).toEqual(model.move(userId, adminId));
    }
    case "forward":
      return clock.forward(action.seconds);
    case "read":
      return await expectReads(model, actor);
  }
}

/** Hosts and requests as this caller sees them. */
async function expectReads(model: Model, account: Account): Promise<void> {
  const role = model.roleOf(account.id);
  const [list, requests] = [await account.get("/api/hosts"), await account.get("/api/renewals?limit=100")];
  if (role === undefined) return expect([list.status, requests.status]).toEqual([401, 401]);
  const visible = hosts.filter((id) => role === "super_admin" || model.assignmentsOf(account.id, id).length > 0);
  const wanted = visible.map((id) => {
    const users = model.assignmentsOf(account.id, id);
    return { id, expireTime: role === "client" ? users[0]?.to : HOST_EXPIRY, users: inOrder(users.map(holding)) };
  });
  const found = list.data.hosts.map(({ id, expireTime, users }: Host) => {
    const held = users.map(({ id: userId, assignedAt, assignedExpireTime }) => [
      userId,
      assignedAt,
      assignedExpireTime,
    ]);
    return { id, expireTime, users: inOrder(held) };
  });
  expect(inOrder(found)).toEqual(inOrder(wanted));
  const requested = model.renewalsOf(account.id).map((renewal) => rowOf(renewal, role === "client"));
  expect(requests.data.requests.map(shownRow)).toEqual(requested.reverse());
}

function holding({ userId, from, to }: ModelAssignment) {
  return [userId, from, to];
}

function rowOf({ id, assignment, user, days, status, processedAt, processedBy }: ModelRenewal, toClient: boolean) {
  const { hostId, to } = assignment;
  const hostExpiry = toClient ? to : HOST_EXPIRY;
  const by = toClient ? null : processedBy;
  return { id, hostId, hostExpiry, username: user.username, days, status, processedAt, by, expiry: to };
}

function shownRow({ id, host, user, requestedDuration, status, ...renewal }: Renewal) {
  const { processedAt, processedBy, assignedExpireTime } = renewal;
  const names = { hostId: host.id, hostExpiry: host.expireTime, username: user.username };
  const by = processedBy?.id ?? null;
  return { id, ...names, days: requestedDuration, status, processedAt, by, expiry: assignedExpireTime };
}

/** One event for each request, and one for each decision or end of it. */
async function expectHistory(model: Model): Promise<void> {
  const rows = await app.database.query(
    `select payload->>'renewalId' as renewal, array_agg(type order by id) as types from events
     where type like 'renewal.%' group by 1`,
  );
  const stored = rows.map(({ renewal, types }) => [renewal, types]);
  expect(inOrder(stored)).toEqual(inOrder(model.renewals.map(({ id, events }) => [id, events])));
}

function inOrder<Item>(items: readonly Item[]): Item[] {
  return [...items].sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
}

async function personOf({ id }: Account): Promise<ModelPerson> {
  const { username, role, adminId } = (await app.root.get(`/api/users/${id}`)).data;
  return { id, username, role, adminId, isThere: true };
}
