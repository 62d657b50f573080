import { v7 as newId } from "uuid";
import { beforeEach, describe, expect, it } from "vitest";
import { parseLocalTime } from "../../src/shared/shanghai.ts";
import { useApp, useTeam } from "../harness/app.ts";
import { fixedClock } from "../harness/clocks.ts";
import {
  buildChannel,
  decide,
  insertHost,
  insertHosts,
  requestRenewal,
  unassign,
} from "../harness/data.ts";
import { insertRows } from "../harness/database.ts";
import { runRemindersJob, saveReminderSettings } from "../harness/reminders.ts";
import { assertOk } from "../harness/rest.ts";

/** Of Shanghai. */
const at = (time: string) => parseLocalTime(time) ?? Number.NaN;

const clock = fixedClock(at("2031-03-01T08:00"));
const FOREVER = 1_000_000_000;
const app = useApp({
  overrides: { clock },
  config: { session: { ttl: FOREVER, idle: FOREVER } },
});
const team = useTeam(app);

/** The job of this process looks each minute, too: at the same clock, so it finds the same. */
async function lookAt(time: string): Promise<void> {
  clock.forward(at(time) - clock.now());
  await runRemindersJob(app, clock);
}

const CLIENT_ALONE = { recipients: { client: true, admin: false, superAdmin: false } };
const SUPER_ADMIN_ALONE = { recipients: { client: false, admin: false, superAdmin: true } };

beforeEach(() => {
  clock.rewind();
});

/** Gives the client, or another one, a new host until then. */
async function assignUntil(end: string, userId = team.client.id, name = "网站-1") {
  const hostId = await insertHost(app, { name, expire_time: null });
  await moveEnd(hostId, end, userId);
  return hostId;
}

async function moveEnd(hostId: string, end: string, userId = team.client.id): Promise<void> {
  const body = { hostId, userId, assignedExpireTime: at(end) };
  await assertOk(app.root.post("/api/hosts/assign", body));
}

/** Assigns all of them until 4 March at 20:00 at once. */
async function assignRows(hostIds: readonly string[], userId: string): Promise<void> {
  const rows = hostIds.map((hostId) => ({
    id: newId(),
    host_id: hostId,
    user_id: userId,
    user_name: "张三",
    user_username: "zhangsan",
    assigned_by: app.root.id,
    assigned_by_name: "管理员",
    assigned_at: at("2031-02-01T00:00"),
    assigned_expire_time: at("2031-03-04T20:00"),
    created_at: at("2031-02-01T00:00"),
  }));
  await insertRows(app.database, "assignments", rows);
}

/** Every end of the ledger: to whom, of which type, mark and end. In the order of sending. */
async function told() {
  return await app.database.query(
    `select
       case u.id when $1 then 'client' when $2 then 'other client' else u.role end as to,
       r.type, h.mark, h.day
     from reminder_hosts h
     join reminders r on r.id = h.reminder_id
     join users u on u.id = r.recipient_id
     order by h.day, h.mark desc, u.role, u.id`,
    [team.client.id, team.otherClient.id],
  );
}

const marks = async () => (await told()).map(({ mark }) => mark);

describe("a mark", () => {
  it("is sent on its day at the time of the rules, and the day after the end once", async () => {
    await saveReminderSettings(app, { ...CLIENT_ALONE, assignmentMarks: [3, 0] });
    await assignUntil("2031-03-06T20:00");

    await lookAt("2031-03-02T23:59");
    await lookAt("2031-03-03T08:59");
    expect(await told()).toEqual([]);
    for (let day = 3; day <= 9; day++) {
      await lookAt(`2031-03-0${day}T09:00`);
      await lookAt(`2031-03-0${day}T17:00`);
    }

    const day = 22_341;
    expect(await told()).toEqual([
      { to: "client", type: "assignment.expiring", mark: 3, day },
      { to: "client", type: "assignment.expiring", mark: 0, day: day + 3 },
      { to: "client", type: "assignment.expired", mark: -1, day: day + 4 },
    ]);
  });

  it("0 is sent on the day of an end that passes before the time of the rules", async () => {
    await saveReminderSettings(app, { ...CLIENT_ALONE, assignmentMarks: [1, 0] });
    await lookAt("2031-03-01T09:00");
    await assignUntil("2031-03-03T00:30");

    await lookAt("2031-03-03T09:00");

    // That of the day before was missed, and the end has passed.
    expect(await marks()).toEqual([0]);
  });

  it("that was missed while nothing ran is made up for by the nearest, once", async () => {
    await saveReminderSettings(app, { ...CLIENT_ALONE, assignmentMarks: [7, 3, 1] });
    await lookAt("2031-03-01T09:00");
    await assignUntil("2031-03-09T20:00");
    await assignUntil("2031-03-05T20:00");

    await lookAt("2031-03-07T10:00");
    await lookAt("2031-03-08T10:00");

    // Of the first host 7 and 3 were missed; the second has expired meanwhile.
    expect(await marks()).toEqual([3, -1, 1]);
  });

  it("that was missed is not sent when its end was set after its day", async () => {
    await saveReminderSettings(app, { ...CLIENT_ALONE, assignmentMarks: [7, 3] });
    await lookAt("2031-03-01T09:00");
    clock.forward(at("2031-03-06T08:00") - clock.now());
    await assignUntil("2031-03-08T20:00");
    await assignUntil("2031-03-09T20:00");

    await lookAt("2031-03-06T09:00");

    // 5 March was before the end was set, 6 March is today.
    expect(await marks()).toEqual([3]);
  });

  it("comes anew for an end that was moved", async () => {
    await saveReminderSettings(app, { ...CLIENT_ALONE, assignmentMarks: [3] });
    const hostId = await assignUntil("2031-03-04T20:00");
    await lookAt("2031-03-01T09:00");

    await moveEnd(hostId, "2031-03-05T20:00");
    await lookAt("2031-03-02T09:00");

    expect(await marks()).toEqual([3, 3]);
  });
});

describe("nobody is reminded", () => {
  it("of an assignment that was ended, has not begun, or is on a host that is gone", async () => {
    await saveReminderSettings(app, { assignmentMarks: [3] });
    const ended = await assignUntil("2031-03-04T20:00");
    await unassign(app, ended, team.client.id);
    const gone = await assignUntil("2031-03-04T20:00");
    await app.database.query("update hosts set gone_at = 1 where id = $1", [gone]);
    const future = await insertHost(app, { expire_time: null });
    const period = {
      assignedAt: at("2031-03-02T00:00"),
      assignedExpireTime: at("2031-03-04T20:00"),
    };
    await assertOk(
      app.root.post("/api/hosts/assign", { hostId: future, userId: team.client.id, ...period }),
    );

    await lookAt("2031-03-01T09:00");

    expect(await told()).toEqual([]);
  });

  it("who is disabled, and the others are", async () => {
    await saveReminderSettings(app, { assignmentMarks: [3] });
    await assignUntil("2031-03-04T20:00");
    await app.root.put(`/api/users/${team.client.id}`, { isActive: false });
    await app.database.query("update users set is_active = false where id = $1", [
      team.otherAdmin.id,
    ]);
    await assignUntil("2031-03-04T20:00", team.otherClient.id);

    await lookAt("2031-03-01T09:00");

    expect((await told()).map(({ to }) => to)).toEqual([
      "admin",
      "other client",
      "super_admin",
      "super_admin",
    ]);
  });

  it("as a client whose renewal is open, and the others are", async () => {
    await saveReminderSettings(app, { assignmentMarks: [3, 2, 1] });
    const hostId = await assignUntil("2031-03-04T20:00");
    const renewal = await requestRenewal(team.client, hostId);

    await lookAt("2031-03-01T09:00");
    await decide(app, renewal, "approved");
    await lookAt("2031-03-02T09:00");
    await decide(app, renewal, "rejected");
    await lookAt("2031-03-03T09:00");

    const ofClient = (await told()).filter(({ to }) => to === "client");
    expect(ofClient.map(({ mark }) => mark)).toEqual([1]);
    expect(await told()).toHaveLength(7);
  });

  it("whom the rules leave out, or of a kind without marks", async () => {
    await saveReminderSettings(app, { ...CLIENT_ALONE, assignmentMarks: [3] });
    await assignUntil("2031-03-04T20:00");
    await insertHost(app, { expire_time: at("2031-03-04T20:00") });
    await lookAt("2031-03-01T09:00");
    await saveReminderSettings(app, { assignmentMarks: [], hostMarks: [] });
    await lookAt("2031-03-01T09:01");

    expect((await told()).map(({ to }) => to)).toEqual(["client"]);
  });
});

describe("the provider's end", () => {
  it("is told to super admins where it is not renewed, and the day after of all that passed", async () => {
    await saveReminderSettings(app, { hostMarks: [3, 0] });
    const end = at("2031-03-04T08:00");
    await insertHost(app, { name: "不续", expire_time: end, auto_renew: false });
    await insertHost(app, { name: "未知", expire_time: end, auto_renew: null });
    await insertHost(app, { name: "续费", expire_time: end, auto_renew: true });
    await insertHost(app, { name: "按时", expire_time: end, charge_type: "Dynamic" });
    await insertHost(app, { name: "消失", expire_time: end, gone_at: 1 });

    for (const day of [1, 4, 5, 6]) await lookAt(`2031-03-0${day}T09:00`);

    const rows = await app.database.query(
      `select r.type, h.mark, array_agg(h.host_name order by h.host_name collate "C") as hosts
       from reminder_hosts h join reminders r on r.id = h.reminder_id
       group by r.id, h.mark order by r.id`,
    );
    expect(rows).toEqual([
      { type: "host.expiring", mark: 3, hosts: ["不续", "未知"] },
      { type: "host.expiring", mark: 0, hosts: ["不续", "未知"] },
      { type: "host.expired", mark: -1, hosts: ["不续", "未知", "续费"] },
    ]);
    const [recipient] = await app.database.query("select distinct recipient_id from reminders");
    expect(recipient).toEqual({ recipient_id: app.root.id });
  });
});

describe("a message", () => {
  it("is one for a recipient, kind and day, in the inbox and in the ledger", async () => {
    await saveReminderSettings(app, { assignmentMarks: [3, 1], hostMarks: [] });
    await assignUntil("2031-03-04T20:00");
    await assignUntil("2031-03-02T20:00", team.client.id, "网站-2");
    await assignUntil("2031-03-02T10:00", team.otherClient.id, "网站-3");

    await lookAt("2031-03-01T09:00");

    const notices = await app.database.query(
      `select u.role, n.severity, n.title, n.message, n.link, jsonb_array_length(n.subjects) as hosts
       from notices n join users u on u.id = n.user_id
       where n.type = 'assignment.expiring' and u.id <> all ($1) order by u.role, hosts`,
      [[team.otherClient.id, team.otherAdmin.id]],
    );
    const common = { severity: "critical", link: "/hosts?assignedExpiring=4" };
    expect(notices).toEqual([
      {
        ...common,
        role: "admin",
        title: "2 台主机即将到期",
        message: `请提前与用户确认是否续费。`,
        hosts: 2,
      },
      {
        ...common,
        role: "client",
        title: "2 台主机即将到期",
        message: `如需继续使用，请及时申请续费。`,
        hosts: 2,
      },
      {
        ...common,
        role: "super_admin",
        title: "3 台主机即将到期",
        message: `请提前与用户确认是否续费。`,
        hosts: 3,
      },
    ]);
    const { data } = await app.root.get(`/api/reminders?userId=${team.client.id}`);
    expect(data.reminders).toMatchObject([
      {
        type: "assignment.expiring",
        mark: 1,
        sentBy: null,
        hostCount: 2,
        hosts: [
          { hostName: "网站-2", mark: 1 },
          { hostName: "网站-1", mark: 3 },
        ],
      },
    ]);
    // One batch: a group gets one message of it.
    const batches = await app.database.query(
      "select distinct batch_id from notices where type = 'assignment.expiring'",
    );
    expect(batches).toHaveLength(1);
  });

  it("to a group tells of the whole day, once all its recipients have theirs", async () => {
    await saveReminderSettings(app, { assignmentMarks: [3], hostMarks: [] });
    const body = buildChannel({ types: ["assignment.expiring"] });
    await assertOk(app.root.post("/api/notice-channels", body));
    // Each recipient of the first one is a transaction of its own.
    const many = Array.from({ length: 1_000 }, () => ({ expire_time: null }));
    const hostIds = await insertHosts(app, many);
    await assignRows(hostIds, team.client.id);
    const last = await assignUntil("2031-03-04T20:00", team.otherClient.id);

    await lookAt("2031-03-01T09:00");

    const deliveries = await app.database.query("select group_message from notice_deliveries");
    expect(deliveries).toMatchObject([
      { group_message: { text: { title: "1001 台主机即将到期" }, userIds: [] } },
    ]);
    expect(JSON.stringify(deliveries)).toContain(last);
  });

  it("goes on where a process was lost, and repeats nothing", async () => {
    await saveReminderSettings(app, { assignmentMarks: [3], hostMarks: [] });
    await assignUntil("2031-03-04T20:00");
    await lookAt("2031-03-01T09:00");
    const whole = await told();
    // The client's message was not written, and the day not covered.
    await app.database.query("delete from reminder_hosts where recipient_id = $1", [
      team.client.id,
    ]);
    await app.database.query("delete from reminders where recipient_id = $1", [team.client.id]);
    await app.database.query("delete from notices where user_id = $1", [team.client.id]);
    await app.database.query("update reminder_settings set covered_day = covered_day - 1");

    await Promise.all([runRemindersJob(app, clock), runRemindersJob(app, clock)]);

    expect(await told()).toEqual(whole);
    expect(await app.database.query("select from notices")).toHaveLength(3);
  });

  it("is not repeated when the clock is set back, and the days go on from there", async () => {
    await saveReminderSettings(app, { ...CLIENT_ALONE, assignmentMarks: [3, 2, 1] });
    await assignUntil("2031-03-04T20:00");
    await lookAt("2031-03-02T09:00");
    await lookAt("2031-03-01T09:00");
    await lookAt("2031-03-02T09:00");
    await lookAt("2031-03-03T09:00");

    expect(await marks()).toEqual([3, 2, 1]);
  });
});

describe("saved rules", () => {
  it("make up for nothing that was missed while they were off", async () => {
    const rules = { ...CLIENT_ALONE, assignmentMarks: [7] };
    await saveReminderSettings(app, rules);
    await lookAt("2031-03-01T09:00");
    await saveReminderSettings(app, { ...rules, isActive: false });
    await assignUntil("2031-03-09T20:00");
    await assignUntil("2031-03-10T20:00");
    await lookAt("2031-03-02T09:00");
    clock.forward(at("2031-03-03T15:00") - clock.now());

    await saveReminderSettings(app, rules);
    await lookAt("2031-03-03T15:01");

    // 2 March is over, 3 March is today.
    expect(await told()).toHaveLength(1);
  });

  it("let the day be looked at once more, for what they add", async () => {
    await saveReminderSettings(app, { ...SUPER_ADMIN_ALONE, assignmentMarks: [3] });
    await assignUntil("2031-03-04T20:00");
    await lookAt("2031-03-01T09:00");
    await assignUntil("2031-03-05T20:00");
    await lookAt("2031-03-01T10:00");
    expect(await marks()).toEqual([3]);

    await saveReminderSettings(app, { ...SUPER_ADMIN_ALONE, assignmentMarks: [4, 3] });
    await lookAt("2031-03-01T10:01");

    expect(await marks()).toEqual([4, 3]);
  });

  it("tell super admins of themselves and of what was sent", async () => {
    const changes = () =>
      app.database.query("select payload from events where type = 'reminders.changed'");

    await saveReminderSettings(app, CLIENT_ALONE);
    await saveReminderSettings(app, CLIENT_ALONE);
    expect(await changes()).toEqual([{ payload: {} }]);
    await assignUntil("2031-03-08T20:00");
    await lookAt("2031-03-01T09:00");

    expect(await changes()).toHaveLength(2);
  });
});
