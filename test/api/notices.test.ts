import { describe, expect, it } from "vitest";
import { systemClock } from "../../src/server/platform/clock.ts";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import { type Account, useApp, useTeam } from "../harness/app.ts";
import { cleanUp } from "../harness/clean-up.ts";
import {
  assign,
  failureOf,
  idsOf,
  insertHost,
  insertHosts,
  insertNotice,
  insertNotices,
  MISSING,
  now,
  readPages,
  unassign,
} from "../harness/data.ts";
import { hostIdsOf, inboxOf, noticesOf } from "../harness/inbox.ts";
import { follow } from "../harness/raw-client.ts";

const app = useApp();
const team = useTeam(app);

async function assignmentOf(hostId: string, { id }: Account): Promise<string> {
  const [row] = await app.database.query(
    "select id from assignments where host_id = $1 and user_id = $2 and ended_at is null",
    [hostId, id],
  );
  return String(row?.id);
}

const idsIn = async (user: Account, query = "") =>
  (await inboxOf(user, query)).notices.map(({ id }) => id);

describe("an inbox", () => {
  it("is listed newest first, with its own notices only, by state and type", async () => {
    const { client, admin } = team;
    const old = await insertNotice(app, client, { created_at: now() - DAY_SECONDS });
    const ended = await insertNotice(app, client, { type: "assignment.ended" });
    await insertNotice(app, admin);
    await client.post("/api/notices/read", { ids: [old] });

    const inbox = await inboxOf(client);

    expect(inbox).toMatchObject({ unreadCount: 1, pagination: { total: 2 } });
    expect(inbox.notices.map(({ id }) => id)).toEqual([ended, old]);
    expect(await idsIn(client, "&unread=true")).toEqual([ended]);
    expect(await idsIn(client, "&unread=false")).toEqual([old]);
    expect(await idsIn(client, "&type=assignment.ended")).toEqual([ended]);
    expect((await inboxOf(client, "&unread=false")).unreadCount).toBe(1);
    expect(await idsIn(app.root)).toEqual([]);
  });

  it("is read by ids, of which those of others count for nothing, or as a whole", async () => {
    const { client, admin } = team;
    const ids = [await insertNotice(app, client), await insertNotice(app, client)];
    const foreign = await insertNotice(app, admin);

    const some = await client.post("/api/notices/read", { ids: [ids[0], foreign, MISSING] });
    const all = await client.post("/api/notices/read", { all: true });

    expect([some.data, all.data]).toEqual([{ unreadCount: 1 }, { unreadCount: 0 }]);
    const { notices } = await inboxOf(client);
    expect(notices.map(({ readAt }) => readAt)).toEqual([expect.any(Number), expect.any(Number)]);
    expect((await inboxOf(admin)).unreadCount).toBe(1);
  });

  it("loses what its owner deletes, and nothing by others", async () => {
    const { client, otherClient } = team;
    const id = await insertNotice(app, client);

    const byOther = await otherClient.delete(`/api/notices/${id}`);
    const bySuperAdmin = await app.root.delete(`/api/notices/${id}`);
    const byOwner = await client.delete(`/api/notices/${id}`);
    const again = await client.delete(`/api/notices/${id}`);

    expect(failureOf(byOther)).toEqual([404, "NOT_FOUND"]);
    expect(failureOf(bySuperAdmin)).toEqual([404, "NOT_FOUND"]);
    expect([byOwner.status, byOwner.data]).toEqual([200, {}]);
    expect(failureOf(again)).toEqual([404, "NOT_FOUND"]);
  });

  it("tells the other windows of its owner what is unread, and nobody else", async () => {
    const { client, otherClient } = team;
    const [first = ""] = [await insertNotice(app, client), await insertNotice(app, client)];
    await using window = await follow(app.url, client.token);
    await using stranger = await follow(app.url, otherClient.token);

    await client.post("/api/notices/read", { ids: [first] });
    await client.post("/api/notices/read", { ids: [first] });
    await window.until(({ events }) => events.length === 2);
    await client.delete(`/api/notices/${first}`);
    await app.root.put("/api/system-config", { show_network_info_to_client: true });

    const last = "settings.changed";
    for (const stream of [window, stranger]) {
      await stream.until(({ events }) => events.some(({ event }) => event.type === last));
    }
    const unread = { type: "notices.read", data: { unreadCount: 1 } };
    const received = window.events.slice(1).map(({ event }) => event);
    expect(received.slice(0, -1)).toEqual([unread, unread]);
    expect(stranger.events.slice(1).map(({ event }) => event.type)).toEqual([last]);
  });

  it("keeps 180 days, and the newest 500 of each user", async () => {
    const { client, admin } = team;
    const many = await insertNotices(app, client, Array(1_700).fill({}));
    const daysAgo = (days: number) => ({ created_at: now() - Math.round(days * DAY_SECONDS) });
    const [, kept] = await insertNotices(app, admin, [daysAgo(180.1), daysAgo(179.9)]);

    await cleanUp(app, { clock: systemClock });

    expect(await idsIn(admin)).toEqual([kept]);
    const pages = await readPages(client, "/api/notices?", 100);
    const ids = pages.flatMap(({ data }) => data.notices.map(({ id }: { id: string }) => id));
    expect(ids).toEqual(many.slice(-500).toReversed());
  });

  it("ends with its user", async () => {
    const { client, admin } = team;
    await insertNotice(app, client);
    await insertNotice(app, admin);

    await app.root.delete(`/api/users/${client.id}`);

    const rows = await app.database.query("select user_id from notices");
    expect(rows).toEqual([{ user_id: admin.id }]);
  });
});

describe("the hosts of a notice", () => {
  it("are named as its reader sees them now, those that end first in front", async () => {
    const { client } = team;
    const late = await insertHost(app, { name: "后到期" });
    const soon = await insertHost(app, { name: "" });
    await assign(app, late, client.id, { to: 20 * DAY_SECONDS });
    const { assignedExpireTime } = await assign(app, soon, client.id, { to: 3 * DAY_SECONDS });
    const subjects = [
      { hostId: late, assignmentId: await assignmentOf(late, client) },
      { hostId: soon, assignmentId: await assignmentOf(soon, client) },
    ];
    await insertNotice(app, client, { subjects });
    await app.database.query("update hosts set name = '改名后' where id = $1", [late]);

    const { notices } = await inboxOf(client, "&type=assignment.expiring");

    const [first, second] = notices[0]?.items ?? [];
    expect(notices[0]?.hostCount).toBe(2);
    expect(first).toMatchObject({ hostId: soon, expireTime: assignedExpireTime, daysLeft: 3 });
    expect(first?.hostName).toMatch(/^uhost-/);
    expect(second).toMatchObject({ hostId: late, hostName: "改名后", daysLeft: 20 });
  });

  it("are gone once they were taken back, and for an admin who no longer has the client", async () => {
    const { client, admin, otherAdmin } = team;
    const hostId = await insertHost(app);
    await assign(app, hostId, client.id);
    const subjects = [{ hostId, assignmentId: await assignmentOf(hostId, client) }];
    for (const reader of [client, admin, otherAdmin, app.root]) {
      await insertNotice(app, reader, { subjects });
    }
    const shown = async (reader: Account) => {
      const { notices } = await inboxOf(reader, "&type=assignment.expiring");
      return notices.flatMap(hostIdsOf);
    };
    expect(await shown(client)).toEqual([hostId]);
    expect(await shown(admin)).toEqual([hostId]);
    expect(await shown(otherAdmin)).toEqual([]);

    await app.root.put(`/api/users/${client.id}`, { adminId: otherAdmin.id });
    expect(await shown(admin)).toEqual([]);
    expect(await shown(otherAdmin)).toEqual([hostId]);

    await unassign(app, hostId, client.id);
    expect(await shown(client)).toEqual([]);
    expect(await shown(otherAdmin)).toEqual([]);
    expect(await shown(app.root)).toEqual([]);
  });

  it("are the list to which the notice leads, for its reader alone", async () => {
    const { client, otherClient } = team;
    const told = await insertHosts(app, [{}, {}, {}]);
    for (const hostId of [...told, await insertHost(app)]) await assign(app, hostId, client.id);
    await app.database.query("update hosts set gone_at = 1 where id = $1", [told[0]]);
    const subjects = told.map((hostId) => ({ hostId, assignmentId: null }));
    for (const reader of [client, app.root]) await insertNotice(app, reader, { subjects });
    const listOf = async (reader: Account) => {
      const [notice] = await noticesOf(reader, "assignment.expiring");
      return notice?.link?.replace("/hosts?", "/api/hosts?") ?? "";
    };

    const listOfClient = await listOf(client);
    const found = await Promise.all([
      client.get(listOfClient),
      app.root.get(await listOf(app.root)),
      otherClient.get(listOfClient),
      app.root.get(listOfClient),
    ]);

    expect(listOfClient).toContain("noticeId=");
    expect(found.map((list) => idsOf(list).toSorted())).toEqual([
      told.toSorted(),
      told.toSorted(),
      [],
      [],
    ]);
  });

  it("tell a client nothing of the provider's end", async () => {
    const { client, admin } = team;
    const hostId = await insertHost(app, { expire_time: now() + 3 * DAY_SECONDS });
    await assign(app, hostId, client.id);
    const subjects = [{ hostId, assignmentId: null }];
    for (const reader of [client, admin]) {
      await insertNotice(app, reader, { type: "host.expiring", subjects });
    }

    const [ofClient] = (await inboxOf(client, "&type=host.expiring")).notices;
    const [ofAdmin] = (await inboxOf(admin, "&type=host.expiring")).notices;

    expect(ofClient?.items).toMatchObject([{ hostId, expireTime: null, daysLeft: null }]);
    expect(ofAdmin?.items).toMatchObject([{ hostId, daysLeft: 3 }]);
  });
});
