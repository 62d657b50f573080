import { beforeEach, describe, expect, it } from "vitest";
import { beginJob } from "../../src/server/modules/assignments/begin-job.ts";
import { BEGIN_JOB } from "../../src/server/modules/assignments/beginning.ts";
import { programActor } from "../../src/server/platform/actor.ts";
import { createLocalBus } from "../../src/server/platform/local-bus.ts";
import type { Notice } from "../../src/shared/notices.ts";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import { type Account, useApp, useTeam } from "../harness/app.ts";
import { movableClock } from "../harness/clocks.ts";
import {
  assign,
  decide,
  insertHost,
  insertHosts,
  renewalIn,
  requestRenewal,
  unassign,
} from "../harness/data.ts";
import { firstDelivery } from "../harness/deliveries.ts";
import { hostIdsOf, inboxOf, noticesOf, typesOf } from "../harness/inbox.ts";
import { follow } from "../harness/raw-client.ts";
import { assertOk } from "../harness/rest.ts";
import { PASSWORD } from "../harness/root-user.ts";
import { silentLog } from "../harness/silent-log.ts";

const FOREVER = { ttl: 1e9, idle: 1e9 };
const clock = movableClock();
const app = useApp({ overrides: { clock }, config: { session: FOREVER, trustProxy: 1 } });
const team = useTeam(app);

beforeEach(() => clock.rewind());

const give = (hostId: string, { id }: Account = team.client) => assign(app, hostId, id);
const batch = (body: object) => assertOk(app.root.post("/api/hosts/batch", body));

/** How often the user was told at once, with the titles. */
async function announcedTo({ id }: Account): Promise<string[]> {
  const rows = await app.database.query(
    `select payload->>'title' as title from events
     where type = 'notice.created' and payload->>'userId' = $1 order by id`,
    [id],
  );
  return rows.map(({ title }) => String(title));
}

/** The queue delivers it by the clock of the machine; here its time has come. */
async function deliverBeginnings({ id }: Account): Promise<number> {
  const job = beginJob({
    em: app.orm.em.fork(),
    bus: createLocalBus(),
    clock,
    actor: programActor("system", BEGIN_JOB),
    log: silentLog,
  });
  const waiting = await app.database.query(
    "select data from pgboss.job where name = $1 and data->>'userId' = $2 order by start_after",
    [BEGIN_JOB, id],
  );
  for (const { data } of waiting) await job.handle(data, firstDelivery());
  return waiting.length;
}

describe("a client is told", () => {
  it("of a host that it gets, whose period changes and that is taken back", async () => {
    const { client, admin } = team;
    const hostId = await insertHost(app, { name: "数据库-主" });

    await give(hostId);
    const [given] = await noticesOf(client, "assignment.given");
    await assign(app, hostId, client.id, { to: 60 * DAY_SECONDS });
    await unassign(app, hostId, client.id);

    expect(given).toMatchObject({
      severity: "info",
      title: "已为您分配 1 台主机",
      link: `/hosts?host=${hostId}`,
      readAt: null,
      items: [{ hostId, hostName: "数据库-主" }],
    });
    expect(await typesOf(client)).toEqual([
      "assignment.given",
      "assignment.changed",
      "assignment.ended",
    ]);
    expect((await inboxOf(client)).notices.flatMap(({ items }) => items)).toEqual([]);
    expect(await typesOf(admin)).toEqual([]);
    expect(await typesOf(app.root)).toEqual([]);
  });

  it("nothing of an act that changes nothing for it", async () => {
    const { client } = team;
    const hostId = await insertHost(app);
    const { assignedAt, assignedExpireTime } = await give(hostId);
    const same = { hostId, userId: client.id, assignedAt, assignedExpireTime };

    await assertOk(app.root.post("/api/hosts/assign", same));
    await assertOk(app.root.post("/api/hosts/assign", { ...same, remark: "内部备注" }));

    expect(await typesOf(client)).toEqual(["assignment.given"]);
  });

  it("of hosts that begin later when they begin, once, and of nothing before", async () => {
    const { client } = team;
    const [moved = "", dropped = "", first = "", second = ""] = await insertHosts(
      app,
      Array(4).fill({}),
    );
    const start = clock.now();
    const assignAt = async (hostIds: readonly string[], assignedAt: number) => {
      const period = { assignedAt, assignedExpireTime: assignedAt + 30 * DAY_SECONDS };
      for (const hostId of hostIds) {
        const assignment = { hostId, userId: client.id, ...period };
        await assertOk(app.root.post("/api/hosts/assign", assignment));
      }
    };
    await assignAt([moved, dropped], start + 3_600);
    await assignAt([moved, first, second], start + 7_200);
    await unassign(app, dropped, client.id);
    expect(await typesOf(client)).toEqual([]);

    clock.forward(7_200);
    expect(await deliverBeginnings(client)).toBe(2);
    await deliverBeginnings(client);

    const notices = await noticesOf(client, "assignment.given");
    expect(notices).toMatchObject([{ title: "已为您分配 3 台主机" }]);
    expect(notices.flatMap(hostIdsOf)).toEqual([moved, first, second].toSorted());
    expect(await typesOf(client)).toEqual(["assignment.given"]);
  });

  it("that a host is taken back when its start is moved into the future", async () => {
    const { client } = team;
    const hostId = await insertHost(app);
    await give(hostId);

    await assign(app, hostId, client.id, { from: 3_600, to: 30 * DAY_SECONDS });
    await assign(app, hostId, client.id, { from: -3_600, to: 30 * DAY_SECONDS });

    expect(await typesOf(client)).toEqual([
      "assignment.given",
      "assignment.ended",
      "assignment.given",
    ]);
  });

  it.each([
    ["approved", "1 个续费申请已批准"],
    ["rejected", "1 个续费申请被拒绝"],
    ["completed", "1 个续费申请已完成"],
  ] as const)("of a request that is %s, by one notice", async (status, title) => {
    const { client, admin } = team;
    const hostId = await insertHost(app);
    await give(hostId);

    const id = await renewalIn(app, { client, hostId }, status);

    const [notice, ...others] = await noticesOf(client, `renewal.${status}`);
    expect(notice).toMatchObject({
      title,
      link: `/client/renewals?renewal=${id}`,
      items: [{ hostId }],
    });
    expect(others).toEqual([]);
    expect(await typesOf(client)).toEqual(["assignment.given", `renewal.${status}`]);
    expect(await typesOf(admin)).toEqual([]);
  });

  it("nothing while it is disabled", async () => {
    const { client } = team;
    const hostId = await insertHost(app);
    await give(hostId);
    await app.root.put(`/api/users/${client.id}`, { isActive: false });

    await unassign(app, hostId, client.id);

    await app.root.put(`/api/users/${client.id}`, { isActive: true });
    expect(await typesOf(await app.signIn(client.username))).toEqual(["assignment.given"]);
  });
});

describe("super admins are told of requests", () => {
  it("all of them that are active, and the client is not", async () => {
    const { client, admin } = team;
    const boss = await app.account("super_admin");
    const former = await app.account("super_admin");
    await app.database.query("update users set is_active = false where id = $1", [former.id]);
    const hostId = await insertHost(app);
    await give(hostId);

    const id = await requestRenewal(client, hostId);
    await client.delete(`/api/renewals/${id}`);

    for (const reader of [app.root, boss]) {
      expect(await noticesOf(reader, "renewal.submitted")).toMatchObject([
        {
          title: "新的续费申请：1 台主机",
          message: expect.stringContaining(`${client.username}的姓名`),
          link: `/renewals?renewal=${id}`,
          items: [{ hostId }],
        },
      ]);
    }
    expect(await typesOf(client)).toEqual(["assignment.given"]);
    expect(await typesOf(admin)).toEqual([]);
    const rows = await app.database.query("select from notices where user_id = $1", [former.id]);
    expect(rows).toEqual([]);
  });
});

describe("a batch", () => {
  const hostIds: string[] = [];

  beforeEach(async () => {
    const hosts = await insertHosts(app, [{ name: "甲" }, { name: "乙" }, { name: "丙" }]);
    hostIds.splice(0, hostIds.length, ...hosts);
  });

  const ITS_HOSTS = expect.stringMatching(/^\/hosts\?noticeId=/);
  const one = (notices: readonly Notice[], title: string, link: unknown): void => {
    expect(notices).toMatchObject([{ title, link }]);
    expect(notices.flatMap(hostIdsOf)).toEqual(hostIds.toSorted());
  };

  it("of assignments is one notice and one event, with all that succeeded", async () => {
    const { client } = team;
    await using stream = await follow(app.url, client.token);

    await batch({ operation: "assign", hostIds, userId: client.id, days: 30 });
    await batch({ operation: "assign", hostIds, userId: client.id, days: 60 });

    one(await noticesOf(client, "assignment.given"), "已为您分配 3 台主机", ITS_HOSTS);
    one(await noticesOf(client, "assignment.changed"), "3 台主机的有效期已变更", ITS_HOSTS);
    const isNotice = ({ event }: (typeof stream.events)[number]) => event.type === "notice.created";
    await stream.until(({ events }) => events.filter(isNotice).length === 2);
    expect(stream.events.filter(isNotice).map(({ event }) => event.data)).toMatchObject([
      { type: "assignment.given", severity: "info", title: "已为您分配 3 台主机" },
      { type: "assignment.changed", severity: "info", title: "3 台主机的有效期已变更" },
    ]);
  });

  it("that moves hosts tells both clients, each once", async () => {
    const { client, otherClient } = team;
    await batch({ operation: "assign", hostIds, userId: client.id, days: 30 });
    const users = { fromUserId: client.id, userId: otherClient.id };

    await batch({ operation: "transfer", hostIds, ...users });
    await batch({ operation: "unassign", hostIds, userId: otherClient.id });

    expect(await noticesOf(client, "assignment.ended")).toMatchObject([
      { severity: "warning", title: "3 台主机已收回", link: "/hosts", items: [] },
    ]);
    expect(await announcedTo(otherClient)).toEqual(["已为您分配 3 台主机", "3 台主机已收回"]);
    expect(await typesOf(otherClient)).toEqual(["assignment.given", "assignment.ended"]);
  });

  it("of requests and one of decisions are one notice each", async () => {
    const { client } = team;
    await batch({ operation: "assign", hostIds, userId: client.id, days: 30 });

    const { data } = await assertOk(
      client.post("/api/renewals/batch", { hostIds, requestedDuration: 30 }),
    );
    one(await noticesOf(app.root, "renewal.submitted"), "新的续费申请：3 台主机", "/renewals");
    const ids = data.results.map(({ id }: { readonly id: string }) => id);
    await assertOk(app.root.put("/api/renewals/batch", { ids, status: "completed" }));

    one(await noticesOf(client, "renewal.completed"), "3 个续费申请已完成", "/client/renewals");
    expect(await typesOf(client)).toEqual(["assignment.given", "renewal.completed"]);
    expect(await announcedTo(app.root)).toEqual(["新的续费申请：3 台主机"]);
  });

  it("counts what succeeded alone", async () => {
    const { client } = team;
    const taken = hostIds.at(-1) ?? "";
    await give(taken);

    await batch({ operation: "unassign", hostIds, userId: client.id });

    expect(await noticesOf(client, "assignment.ended")).toMatchObject([
      { title: "1 台主机已收回" },
    ]);
  });

  it("names no host in what is kept of it", async () => {
    const { client } = team;
    await batch({ operation: "assign", hostIds, userId: client.id, days: 30 });
    for (const hostId of hostIds) await requestRenewal(client, hostId);
    await batch({ operation: "unassign", hostIds });

    const rows = await app.database.query("select title, message from notices");

    expect(rows.length).toBe(5);
    expect(JSON.stringify(rows)).not.toMatch(/甲|乙|丙|uhost-/);
  });
});

describe("the user of an account is told", () => {
  const signIn = async (username: string, address: string, password = PASSWORD) => {
    const headers = { "content-type": "application/json", "x-forwarded-for": address };
    const body = JSON.stringify({ username, password });
    await assertOk(app.anonymous.raw("POST", "/api/auth/login", { headers, body }));
  };

  it("of a sign-in from an address that is new for it, but for its first", async () => {
    const client = await app.account("client");
    expect(await typesOf(client)).toEqual([]);

    await signIn(client.username, "198.51.100.7");
    await signIn(client.username, "198.51.100.7");
    await signIn(client.username, "2001:db8::1");
    await signIn(client.username, "2001:db8::2");

    const notices = await noticesOf(client, "security.new_address");
    expect(notices).toMatchObject([
      { severity: "warning", message: expect.stringContaining("2001:db8::1"), link: "/account" },
      { severity: "warning", message: expect.stringContaining("198.51.100.7"), link: "/account" },
    ]);
    expect(await typesOf(app.root)).toEqual([]);
  });

  it("that its password was changed or reset", async () => {
    const { client } = team;
    const newPassword = "Another2Horse";

    await assertOk(client.put("/api/auth/password", { currentPassword: PASSWORD, newPassword }));
    expect(await typesOf(client)).toEqual(["security.password_changed"]);
    const { data } = await assertOk(app.root.post(`/api/users/${client.id}/reset-password`));

    const again = await app.signIn(client.username, data.newPassword);
    await assertOk(
      again.put("/api/auth/password", { currentPassword: data.newPassword, newPassword }),
    );
    expect(await typesOf(again)).toEqual([
      "security.password_changed",
      "security.password_reset",
      "security.password_changed",
    ]);
    expect(await typesOf(app.root)).toEqual([]);
  });
});

it("a decision that is refused adds no notice", async () => {
  const { client } = team;
  const hostId = await insertHost(app);
  await give(hostId);
  const id = await renewalIn(app, { client, hostId }, "rejected");

  expect((await decide(app, id, "approved")).status).toBe(409);

  expect(await typesOf(client)).toEqual(["assignment.given", "renewal.rejected"]);
});
