import { v7 as newId } from "uuid";
import { describe, expect, it } from "vitest";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import { useApp, useTeam } from "../harness/app.ts";
import { cleanUp } from "../harness/clean-up.ts";
import { fixedClock } from "../harness/clocks.ts";
import { assign, insertHost, insertHosts, MISSING, now } from "../harness/data.ts";
import { insertRows } from "../harness/database.ts";
import { noticesOf } from "../harness/inbox.ts";
import { buildReminderSettings, saveReminderSettings } from "../harness/reminders.ts";
import { assertOk } from "../harness/rest.ts";

const clock = fixedClock(now());
const app = useApp({ overrides: { clock } });
const team = useTeam(app);

const send = (...hostIds: string[]) => app.root.post("/api/reminders/send", { hostIds });
const ledger = async (query = "") => {
  const { data } = await assertOk(app.root.get(`/api/reminders${query}`));
  return data.reminders;
};

describe("the settings of reminders", () => {
  it("are replaced as a whole, with the largest mark first", async () => {
    const settings = buildReminderSettings({
      assignmentMarks: [1, 14],
      hostMarks: [],
      sendAt: "18:30",
      recipients: { client: true, admin: false, superAdmin: true },
    });

    const { data } = await assertOk(app.root.put("/api/reminder-settings", settings));

    expect(data).toEqual({ ...settings, assignmentMarks: [14, 1] });
    expect((await app.root.get("/api/reminder-settings")).data).toEqual(data);
  });
});

describe("reminding by hand", () => {
  it("sends a client one message of all its hosts, and keeps the others out", async () => {
    const hosts = await insertHosts(app, [{ name: "甲" }, { name: "乙" }]);
    for (const hostId of hosts) await assign(app, hostId, team.client.id, { to: 5 * DAY_SECONDS });
    const spare = await insertHost(app);

    const { data } = await assertOk(send(...hosts, spare, MISSING));

    expect(data.results).toEqual([
      { hostId: hosts[0], ok: true },
      { hostId: hosts[1], ok: true },
      {
        hostId: spare,
        ok: false,
        code: "STATE_CONFLICT",
        message: "没有用户正在使用该主机，不能提醒",
      },
      { hostId: MISSING, ok: false, code: "NOT_FOUND", message: "主机不存在或已无权查看" },
    ]);
    const [reminder, ...others] = await ledger();
    expect(others).toEqual([]);
    expect(reminder).toMatchObject({
      type: "assignment.expiring",
      recipient: { id: team.client.id },
      mark: null,
      sentBy: { id: app.root.id, name: expect.any(String) },
      hostCount: 2,
      createdAt: clock.now(),
      deliveries: [],
    });
    const names = reminder.hosts.map(({ hostName }: { hostName: string }) => hostName);
    expect(names.toSorted()).toEqual(["乙", "甲"]);
    const notices = await app.database.query(
      `select user_id, title, severity, link from notices where type = 'assignment.expiring'`,
    );
    expect(notices).toEqual([
      {
        user_id: team.client.id,
        title: "2 台主机即将到期",
        severity: "warning",
        link: "/hosts?assignedExpiring=6",
      },
    ]);
  });

  it("leads to the host, or to the list of just these hosts", async () => {
    const [one = "", ...others] = await insertHosts(app, [{}, {}, {}]);
    for (const hostId of [one, ...others]) await assign(app, hostId, team.client.id);

    await assertOk(send(...others));
    await assertOk(send(one));

    const [ofOne, ofOthers] = await noticesOf(team.client, "assignment.expiring");
    expect(ofOne?.link).toBe(`/hosts?host=${one}`);
    expect(ofOthers?.link).toBe(`/hosts?noticeId=${ofOthers?.id}&sort=assignedExpireTime`);
  });

  it("reminds of a host once a day of Shanghai, also when two do it at once", async () => {
    const hostId = await insertHost(app);
    await assign(app, hostId, team.client.id);

    const answers = await Promise.all([send(hostId), send(hostId)]);
    const outcomes = answers.map(({ data }) => data.results[0]);
    expect(outcomes.map(({ ok }) => ok).toSorted()).toEqual([false, true]);
    expect(outcomes.find(({ ok }) => !ok)).toMatchObject({
      code: "STATE_CONFLICT",
      message: "今天已提醒过使用该主机的用户，请明天再试",
    });

    // The next day.
    await app.database.query("update reminder_hosts set day = day - 1");
    const { data } = await assertOk(send(hostId));

    expect(data.results[0].ok).toBe(true);
    expect(await ledger()).toHaveLength(2);
  });

  it("reminds those of a host who were not, and tells when the host is gone or all are disabled", async () => {
    const [shared = "", gone = ""] = await insertHosts(app, [{}, {}]);
    await assign(app, shared, team.client.id);
    await assertOk(send(shared));
    await assign(app, shared, team.otherClient.id);
    await assign(app, gone, team.client.id);
    await app.database.query("update hosts set gone_at = 1 where id = $1", [gone]);

    const { data } = await assertOk(send(shared, gone));
    await app.root.put(`/api/users/${team.client.id}`, { isActive: false });
    await app.root.put(`/api/users/${team.otherClient.id}`, { isActive: false });
    const afterwards = await assertOk(send(shared));

    expect(data.results).toEqual([
      {
        hostId: shared,
        ok: true,
        message: "部分用户已停用或今天已提醒过，只提醒了其余用户",
      },
      {
        hostId: gone,
        ok: false,
        code: "STATE_CONFLICT",
        message: "主机在云服务商处已不存在，不能提醒",
      },
    ]);
    expect(afterwards.data.results[0].message).toBe("使用该主机的用户已停用，不能提醒");
    expect(await ledger(`?userId=${team.otherClient.id}`)).toHaveLength(1);
  });

  it("says that an assignment has expired, and not to whom it has not begun", async () => {
    const [past = "", future = ""] = await insertHosts(app, [{}, {}]);
    await assign(app, past, team.client.id, { from: -9 * DAY_SECONDS, to: -DAY_SECONDS });
    await assign(app, future, team.client.id, { from: DAY_SECONDS, to: 9 * DAY_SECONDS });

    const { data } = await assertOk(send(past, future));

    expect(data.results.map(({ ok }: { ok: boolean }) => ok)).toEqual([true, false]);
    expect(await ledger()).toMatchObject([{ type: "assignment.expired", hosts: [{ mark: null }] }]);
  });
});

describe("the ledger", () => {
  it("is listed by recipient, by host and by what became of the deliveries", async () => {
    await saveReminderSettings(app);
    const [first = "", second = ""] = await insertHosts(app, [{}, {}]);
    await assign(app, first, team.client.id);
    await assign(app, second, team.otherClient.id);
    await assertOk(send(first, second));
    const [own] = await ledger(`?userId=${team.client.id}`);
    const [other] = await ledger(`?userId=${team.otherClient.id}`);
    await insertDelivery(own.id, { channel_name: "邮件", status: "failed", error: "邮箱不存在" });
    await insertDelivery(own.id, { channel_name: "运维群", status: "sent", notice_id: null });

    expect((await ledger(`?hostId=${second}`)).map(idOf)).toEqual([other.id]);
    expect((await ledger("?status=failed")).map(idOf)).toEqual([own.id]);
    // What tells of the whole batch belongs to each of its reminders.
    expect((await ledger("?status=sent")).map(idOf)).toEqual([other.id, own.id]);
    expect(await ledger("?status=queued")).toEqual([]);
    expect((await ledger(`?userId=${team.client.id}`))[0].deliveries).toEqual([
      {
        channelId: MISSING,
        channelName: "邮件",
        status: "failed",
        attempts: 2,
        lastAttemptAt: 5,
        error: "邮箱不存在",
      },
      {
        channelId: MISSING,
        channelName: "运维群",
        status: "sent",
        attempts: 2,
        lastAttemptAt: 5,
        error: null,
      },
    ]);
  });

  it("names the 200 hosts that end first, and counts all", async () => {
    const hostId = await insertHost(app);
    await assign(app, hostId, team.client.id);
    await assertOk(send(hostId));
    const [{ id }] = await ledger();
    await app.database.query(
      `insert into reminder_hosts (id, reminder_id, recipient_id, host_id, host_name, expire_time, day)
       select gen_random_uuid(), $1, $2, gen_random_uuid(), '主机-' || n, n, 0
       from generate_series(1, 200) n`,
      [id, team.client.id],
    );
    await app.database.query("update reminders set host_count = 201");

    const [reminder] = await ledger();

    expect(reminder.hostCount).toBe(201);
    expect(reminder.hosts.map(({ expireTime }: { expireTime: number }) => expireTime)).toEqual(
      Array.from({ length: 200 }, (_, index) => index + 1),
    );
  });
});

it("a reminder is kept 400 days, with its hosts", async () => {
  const ages = [399.5, 400.5].map((days) => clock.now() - days * DAY_SECONDS);
  for (const at of ages) await insertReminder(at);

  await cleanUp(app, { clock });

  const [left] = await app.database.query(
    `select (select array_agg(created_at::int) from reminders) as reminders,
       (select array_agg(expire_time::int) from reminder_hosts) as hosts`,
  );
  expect(left).toEqual({ reminders: ages.slice(0, 1), hosts: ages.slice(0, 1) });
});

/** Of one host, which ended then. */
async function insertReminder(at: number): Promise<void> {
  const recipient = { recipient_id: team.client.id };
  const reminder = {
    ...recipient,
    id: newId({ msecs: at * 1_000 }),
    type: "assignment.expired",
    recipient_name: "张三",
    batch_id: newId(),
    notice_id: newId(),
    host_count: 1,
    created_at: at,
  };
  const host = {
    ...recipient,
    id: newId({ msecs: at * 1_000 }),
    reminder_id: reminder.id,
    host_id: newId(),
    host_name: "网站-1",
    expire_time: at,
    day: 1,
  };
  await insertRows(app.database, "reminders", [reminder]);
  await insertRows(app.database, "reminder_hosts", [host]);
}

function idOf({ id }: { readonly id: string }): string {
  return id;
}

async function insertDelivery(reminderId: string, columns: object): Promise<void> {
  const [reminder] = await app.database.query(
    "select batch_id, notice_id, type from reminders where id = $1",
    [reminderId],
  );
  const row = { id: newId(), channel_id: MISSING, attempts: 2, last_attempt_at: 5, created_at: 5 };
  await insertRows(app.database, "notice_deliveries", [{ ...row, ...reminder, ...columns }]);
}
