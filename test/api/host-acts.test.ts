import { beforeEach, describe, expect, it } from "vitest";
import type { HostHistoryEntry } from "../../src/shared/host-history.ts";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import { type Account, useApp, useTeam } from "../harness/app.ts";
import { fixedClock } from "../harness/clocks.ts";
import { insertHost, insertHosts } from "../harness/data.ts";
import { assertOk } from "../harness/rest.ts";

const clock = fixedClock();
const app = useApp({ overrides: { clock }, config: { session: { ttl: 9e9, idle: 9e9 } } });
const team = useTeam(app);
/** A second super admin. */
let boss: Account;
let hostId: string;
/** The end of an assignment of `DAYS` days that begins now. */
let end: number;
const DAYS = 30;

beforeEach(async () => {
  boss = await app.account("super_admin");
  hostId = await insertHost(app);
  end = clock.now() + DAYS * DAY_SECONDS;
});

type Person = Pick<Account, "id" | "post" | "put" | "delete">;

const assign = (by: Person, more: object = {}) =>
  assertOk(by.post("/api/hosts/assign", { hostId, userId: team.client.id, days: DAYS, ...more }));
const unassign = (by: Person, userId = team.client.id) =>
  assertOk(by.post("/api/hosts/unassign", { hostId, userId }));
const batch = async (by: Person, body: object) => {
  const { data } = await assertOk(by.post("/api/hosts/batch", { hostIds: [hostId], ...body }));
  expect(data.results).toMatchObject([{ ok: true }]);
};
const transfer = (by: Person) =>
  batch(by, {
    operation: "transfer",
    fromUserId: team.client.id,
    userId: team.otherClient.id,
  });
const decide = (by: Person, id: string, status: string, adminRemark?: string) =>
  assertOk(by.put(`/api/renewals/${id}/process`, { status, adminRemark }));

async function request(remark: string | null = null): Promise<string> {
  const body = { hostId, requestedDuration: 90, remark };
  return (await assertOk(team.client.post("/api/renewals", body))).data.id;
}

async function historyOf(account: Pick<Account, "get"> = app.root): Promise<HostHistoryEntry[]> {
  return (await assertOk(account.get(`/api/hosts/${hostId}/history?limit=100`))).data.entries;
}

/** What the act adds to the history of the host, newest first, without ids and times. */
async function entriesOf(act: () => Promise<unknown>) {
  const before = await historyOf();
  await act();
  const after = await historyOf();

  expect(after.slice(after.length - before.length), "what was there before").toEqual(before);
  return after
    .slice(0, after.length - before.length)
    .map(({ kind, actor, changes, remark }) => ({ kind, by: actor?.id ?? null, changes, remark }));
}

const nameOf = ({ username }: Account) => `${username}的姓名`;
const user = (from: Account | null, to: Account | null) => ({
  field: "user",
  from: from === null ? null : nameOf(from),
  to: to === null ? null : nameOf(to),
});
/** What an act that gives the host to a client names, until `end` as far as nothing else is said. */
const given = (client: Account, until = end) => [
  user(null, client),
  { field: "assignedExpireTime", from: null, to: until },
];
const movedEnd = (from: number, to: number) => ({ field: "assignedExpireTime", from, to });

describe("acts on an assignment", () => {
  it("are told with who assigned the host, until when, and with which remark", async () => {
    const entries = await entriesOf(() => assign(boss, { remark: "合同 2026-17" }));

    const changes = given(team.client);
    expect(entries).toEqual([{ kind: "assigned", by: boss.id, changes, remark: "合同 2026-17" }]);
  });

  it("are told with the dates before and after, and leave the first entry as it is", async () => {
    await assign(app.root, { remark: "合同 2026-17" });
    clock.forward(60);

    const start = clock.now() - DAY_SECONDS;
    const entries = await entriesOf(() =>
      assign(boss, { assignedAt: start, days: 60, remark: "延期" }),
    );

    const changes = [
      user(null, team.client),
      movedEnd(end, start + 60 * DAY_SECONDS),
      { field: "assignedAt", from: end - DAYS * DAY_SECONDS, to: start },
    ];
    expect(entries).toEqual([{ kind: "assignment_changed", by: boss.id, changes, remark: "延期" }]);
  });

  it("have no remark of an earlier act", async () => {
    await assign(app.root, { remark: "合同 2026-17" });

    const entries = await entriesOf(() => assign(boss, { days: 60 }));

    expect(entries).toMatchObject([{ kind: "assignment_changed", by: boss.id, remark: null }]);
  });

  it("without another date are told with their remark alone", async () => {
    await assign(app.root);

    const entries = await entriesOf(() => assign(boss, { remark: "已收押金" }));

    const changes = [user(null, team.client)];
    expect(entries).toEqual([
      { kind: "assignment_changed", by: boss.id, changes, remark: "已收押金" },
    ]);
  });

  it("that change nothing leave no entry", async () => {
    await assign(app.root, { remark: "合同 2026-17" });

    expect(await entriesOf(() => assign(boss, { remark: "合同 2026-17" }))).toEqual([]);
    expect(await entriesOf(() => assign(boss))).toEqual([]);
  });

  it("keep who assigned the host in the list of a user's assignments, too", async () => {
    await assign(app.root, { remark: "合同 2026-17" });

    await assign(boss, { days: 60, remark: "延期" });

    const { data } = await app.root.get(`/api/users/${team.client.id}/assignments`);
    expect(data.assignments).toMatchObject([{ assignedBy: { id: app.root.id }, remark: "延期" }]);
  });

  it("name the client as it was named then", async () => {
    await assign(app.root);
    await assertOk(app.root.put(`/api/users/${team.client.id}`, { name: "新名字" }));

    const entries = await entriesOf(() => unassign(app.root));

    expect(entries).toMatchObject([{ changes: [{ field: "user", from: "新名字", to: null }] }]);
    expect(await historyOf()).toMatchObject([{}, { changes: given(team.client) }]);
  });

  it("of a batch are told one by one", async () => {
    await assign(app.root);
    const days = 60;
    const body = { operation: "assign", userId: team.client.id, days, remark: "批量延期" };

    const entries = await entriesOf(() => batch(boss, body));

    const changes = [user(null, team.client), movedEnd(end, clock.now() + days * DAY_SECONDS)];
    expect(entries).toEqual([
      { kind: "assignment_changed", by: boss.id, changes, remark: "批量延期" },
    ]);
  });
});

describe("the end of an assignment", () => {
  const unassigned = (by: Person, client = team.client) => ({
    kind: "unassigned",
    by: by.id,
    changes: [user(client, null)],
    remark: null,
  });
  const cancelled = (by: Person) => ({
    kind: "renewal_cancelled",
    by: by.id,
    changes: [user(null, team.client)],
    remark: null,
  });

  beforeEach(() => assign(app.root, { remark: "合同 2026-17" }));

  it("names who took the host back, and cancelled the open request with it", async () => {
    await decide(app.root, await request(), "approved", "请付款");

    const entries = await entriesOf(() => unassign(boss));

    expect(entries).toEqual([cancelled(boss), unassigned(boss)]);
  });

  it("names who took it back from all clients in a batch", async () => {
    await assign(app.root, { userId: team.otherClient.id });

    const entries = await entriesOf(() => batch(boss, { operation: "unassign" }));

    expect(entries).toHaveLength(2);
    expect(entries).toContainEqual(unassigned(boss));
    expect(entries).toContainEqual(unassigned(boss, team.otherClient));
  });

  it("names who handed it over, to somebody who did not have it", async () => {
    await request();

    const entries = await entriesOf(() => transfer(boss));

    const changes = given(team.otherClient);
    expect(entries).toEqual([
      { kind: "assigned", by: boss.id, changes, remark: null },
      cancelled(boss),
      unassigned(boss),
    ]);
  });

  it("names who handed it over, to somebody whose end that moves", async () => {
    const early = clock.now() + 9 * DAY_SECONDS;
    await assign(app.root, {
      userId: team.otherClient.id,
      days: undefined,
      assignedExpireTime: early,
      remark: "试用",
    });

    const entries = await entriesOf(() => transfer(boss));

    const changes = [user(null, team.otherClient), movedEnd(early, end)];
    expect(entries).toEqual([
      { kind: "assignment_changed", by: boss.id, changes, remark: null },
      unassigned(boss),
    ]);
  });

  it("is the only entry where the receiver keeps its own later end", async () => {
    await assign(app.root, { userId: team.otherClient.id, days: 60 });

    expect(await entriesOf(() => transfer(boss))).toEqual([unassigned(boss)]);
  });

  it("names who deleted the client", async () => {
    await request();

    const entries = await entriesOf(() => assertOk(boss.delete(`/api/users/${team.client.id}`)));

    expect(entries).toEqual([cancelled(boss), unassigned(boss)]);
  });
});

describe("acts on a request", () => {
  const entry = (kind: string, by: Person, remark: string | null, changes: object[] = []) => ({
    kind,
    by: by.id,
    changes: [user(null, team.client), ...changes],
    remark,
  });
  const days = { field: "requestedDuration", from: null, to: 90 };

  beforeEach(() => assign(app.root, { remark: "合同 2026-17" }));

  it("are told with the client who made it, its days and its remark", async () => {
    const entries = await entriesOf(() => request("请续到春节"));

    expect(entries).toEqual([entry("renewal_created", team.client, "请续到春节", [days])]);
  });

  it("tell an approval and a completion apart, each with its person and its remark", async () => {
    const id = await request();

    const entries = await entriesOf(async () => {
      await decide(app.root, id, "approved", "请付款");
      clock.forward(60);
      await decide(boss, id, "completed");
    });

    expect(entries).toEqual([
      entry("assignment_changed", boss, null, [movedEnd(end, end + 90 * DAY_SECONDS)]),
      entry("renewal_completed", boss, null),
      entry("renewal_approved", app.root, "请付款"),
    ]);
  });

  it("keep the approval when the request is rejected later", async () => {
    const id = await request();
    await decide(app.root, id, "approved", "请付款");

    const entries = await entriesOf(() => decide(boss, id, "rejected", "未付款"));

    expect(entries).toEqual([entry("renewal_rejected", boss, "未付款")]);
    expect(await historyOf()).toMatchObject([
      {},
      { kind: "renewal_approved", actor: { id: app.root.id }, remark: "请付款" },
      {},
      {},
    ]);
  });

  it("name the client that withdraws it", async () => {
    const id = await request("请续");

    const entries = await entriesOf(() => assertOk(team.client.delete(`/api/renewals/${id}`)));

    expect(entries).toEqual([entry("renewal_cancelled", team.client, null)]);
  });

  it("tell that a decision was undone, by whom, the former state, and the end", async () => {
    const id = await request();
    await decide(app.root, id, "completed", "已到账");
    const later = end + 90 * DAY_SECONDS;
    const reopened = { field: "renewalStatus", from: "completed", to: "pending" };

    const entries = await entriesOf(() => assertOk(boss.post(`/api/renewals/${id}/undo`, {})));

    expect(entries).toEqual([
      entry("assignment_changed", boss, null, [movedEnd(later, end)]),
      entry("renewal_undone", boss, null, [reopened]),
    ]);
    expect(await historyOf(team.client)).toMatchObject([
      { kind: "assignment_changed", actor: null },
      { kind: "renewal_undone", actor: null, remark: null, changes: [{ field: "user" }, reopened] },
      {},
      { kind: "renewal_completed", remark: "已到账" },
      {},
      {},
    ]);
  });

  it("that are refused leave no entry", async () => {
    const id = await request();
    await decide(app.root, id, "rejected", "未付款");

    const again = () =>
      boss.put(`/api/renewals/${id}/process`, { status: "completed", adminRemark: "补" });

    expect(await entriesOf(again)).toEqual([]);
  });
});

describe("the acts that others see", () => {
  it("are a client's own, with the persons and remarks that are meant for it", async () => {
    await assign(app.root, { remark: "合同 2026-17" });
    const id = await request("请续");
    await decide(boss, id, "approved", "请付款");
    await decide(boss, id, "completed");
    await assign(app.root, { userId: team.otherClient.id });

    const entries = await historyOf(team.client);

    expect(entries).toMatchObject([
      { kind: "assignment_changed", actor: null, changes: [{}, movedEnd(end, expect.any(Number))] },
      { kind: "renewal_completed", actor: null, remark: null },
      { kind: "renewal_approved", actor: null, remark: "请付款" },
      { kind: "renewal_created", actor: { id: team.client.id }, remark: "请续" },
      { kind: "assigned", actor: null, remark: null },
    ]);
  });

  it("are to a client none of an assignment that ended before it began", async () => {
    await assign(app.root, { assignedAt: clock.now() + 60 });
    await assign(app.root, { assignedAt: clock.now() + 120, days: 60 });
    await unassign(app.root);
    await assign(app.root);

    expect(await historyOf(team.client)).toMatchObject([{ kind: "assigned" }]);
    expect(await historyOf()).toHaveLength(4);
  });

  it("are for an admin those of its clients, with persons and remarks", async () => {
    await assign(app.root, { remark: "合同 2026-17" });
    await assign(app.root, { userId: team.otherClient.id });

    expect(await historyOf(team.admin)).toMatchObject([
      { kind: "assigned", actor: { id: app.root.id }, remark: "合同 2026-17" },
    ]);
  });
});

describe("a host that a person's decision marks gone", () => {
  const gone = () => ({ kind: "gone", by: boss.id });
  let configId: string;

  beforeEach(async () => {
    await app.config();
    configId = await app.config({ name: "备用" });
    hostId = await insertHost(app, { config_id: configId });
  });

  it("names who confirmed that it is gone", async () => {
    await app.database.query("update hosts set missing_since = 5, held_reason = 'empty'");
    const body = { hostIds: [hostId] };

    const entries = await entriesOf(() =>
      assertOk(boss.post("/api/hosts/held-removals/confirm", body)),
    );

    expect(entries).toMatchObject([gone()]);
  });

  it("names who deleted its configuration", async () => {
    const entries = await entriesOf(() => assertOk(boss.delete(`/api/hosts/configs/${configId}`)));

    expect(entries).toMatchObject([gone()]);
  });

  it("names who left its project out", async () => {
    const body = { projectIds: ["org-2"] };

    const entries = await entriesOf(() =>
      assertOk(boss.put(`/api/hosts/configs/${configId}`, body)),
    );

    expect(entries).toMatchObject([gone()]);
  });

  it("names nobody to a client", async () => {
    await assign(app.root);
    clock.forward(60);
    await assertOk(boss.delete(`/api/hosts/configs/${configId}`));

    const [newest] = await historyOf(team.client);

    expect(newest).toMatchObject({ kind: "gone", actor: null });
  });
});

describe("entries of one second", () => {
  it("stand in the order in which they happened, changes between acts as well", async () => {
    await app.config();
    const configId = await app.config({ name: "备用" });
    hostId = await insertHost(app, { config_id: configId });

    await assign(app.root);
    await unassign(app.root);
    await assign(app.root, { userId: team.otherClient.id });
    await assertOk(app.root.delete(`/api/hosts/configs/${configId}`));
    await unassign(app.root, team.otherClient.id);

    const entries = await historyOf();
    expect(new Set(entries.map(({ at }) => at))).toEqual(new Set([clock.now()]));
    expect(entries.map(({ kind }) => kind)).toEqual([
      "unassigned",
      "gone",
      "assigned",
      "unassigned",
      "assigned",
    ]);
  });

  it("are each on one page", async () => {
    for (let round = 0; round < 3; round++) {
      await assign(app.root);
      await unassign(app.root);
    }
    const all = await historyOf();

    const pages = await Promise.all(
      all.map((_, index) => app.root.get(`/api/hosts/${hostId}/history?limit=1&page=${index + 1}`)),
    );

    expect(pages.flatMap(({ data }) => data.entries)).toEqual(all);
  });
});

it("a client that had more hosts than a statement has parameters can be deleted", async () => {
  const hosts = await insertHosts(app, Array(6_000).fill({}));
  await app.database.query(
    `insert into assignments
       (id, host_id, user_id, user_name, user_username, assigned_at, assigned_expire_time,
         assigned_by, assigned_by_name, created_at)
     select gen_random_uuid(), unnest($1::uuid[]), $2, '', '', 1, $3, $2, '', 1`,
    [hosts, team.client.id, end],
  );

  await assertOk(app.root.delete(`/api/users/${team.client.id}`));

  const rows = await app.database.query("select count(*)::int as n from host_acts");
  expect(rows).toEqual([{ n: 6_000 }]);
});
