import { v7 } from "uuid";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { MAX_CHANNELS } from "../../src/shared/notice-channels.ts";
import { useApp, useTeam } from "../harness/app.ts";
import { assign, failureOf, insertHost, MISSING, now } from "../harness/data.ts";
import { insertRows } from "../harness/database.ts";
import { answering, startReceiver } from "../harness/receiver.ts";
import { within } from "../harness/time-limits.ts";

/** A worker looks at once when it is woken. */
const WITHIN = { timeout: within(15_000) };
const CHANNELS = "/api/notice-channels";
/** An address, so that no name is looked up; nothing is ever sent to it. */
const ROBOT = "https://8.8.8.8/cgi-bin/webhook/send?key=0123-robot-key";
const SECRET = "SECmarker0123456789";
const WEBHOOK_SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

const receiver = await startReceiver();
afterAll(() => receiver[Symbol.asyncDispose]());

const app = useApp({ config: { outboundAllowed: { origins: [receiver.origin], servers: [] } } });
const team = useTeam(app);
beforeEach(() => receiver.reset());

const wecom = (more: object = {}) => {
  return {
    name: "运维群",
    type: "wecom",
    config: { url: ROBOT },
    types: ["sync.failing"],
    ...more,
  };
};
const dingtalk = () => wecom({ type: "dingtalk", config: { url: ROBOT, secret: SECRET } });
const mail = {
  host: "8.8.4.4",
  port: 465,
  security: "tls",
  user: "notice",
  password: "marker-mail-password",
  sender: "控制台 <notice@example.com>",
};
const create = (channel: object) => app.root.post(CHANNELS, channel);
const update = (id: string, changes: object) => app.root.put(`${CHANNELS}/${id}`, changes);
const list = async () => (await app.root.get(CHANNELS)).data;
const test = async (id: string) => (await app.root.post(`${CHANNELS}/${id}/test`)).data;

async function created(channel: object): Promise<string> {
  const { status, data } = await create(channel);
  expect(status).toBe(201);
  return data.id;
}

async function storedConfig(id: string) {
  const [row] = await app.database.query(
    "select config_sealed from notice_channels where id = $1",
    [id],
  );
  return String(row?.config_sealed);
}

describe("notice channels", () => {
  it("are listed with their addresses in part and without their secrets", async () => {
    const robot = await create(dingtalk());
    await create(wecom({ type: "email", config: mail, isActive: false, types: [] }));

    expect(robot.data).toEqual({
      id: expect.any(String),
      name: "运维群",
      type: "dingtalk",
      isActive: true,
      config: { url: "https://8.8.8.8/••••-key", secret: "••••" },
      types: ["sync.failing"],
      lastDelivery: null,
      pausedUntil: null,
    });
    expect(await list()).toEqual([
      robot.data,
      {
        ...robot.data,
        id: expect.any(String),
        type: "email",
        isActive: false,
        config: { ...mail, password: "••••" },
        types: [],
      },
    ]);
  });

  it("are sealed at rest, and their secrets are in no event", async () => {
    const id = await created(dingtalk());
    await update(id, { config: { secret: `${SECRET}-2` } });

    expect(await storedConfig(id)).toMatch(/^v1\./);
    const events = await app.database.query("select type, payload from events order by id desc");
    expect(events[0]).toEqual({ type: "channel.changed", payload: { channelId: id } });
    expect(JSON.stringify(events)).not.toMatch(/marker|robot-key/);
  });

  it.each(["admin", "client"] as const)("are refused to the role %s", async (role) => {
    const id = await created(wecom());
    const account = team[role];

    const answers = [
      await account.get(CHANNELS),
      await account.post(CHANNELS, wecom()),
      await account.put(`${CHANNELS}/${id}`, { name: "新名称" }),
      await account.delete(`${CHANNELS}/${id}`),
      await account.post(`${CHANNELS}/${id}/test`),
    ];

    for (const answer of answers) expect(failureOf(answer)).toEqual([403, "FORBIDDEN"]);
  });

  it(`are at most ${MAX_CHANNELS}`, async () => {
    for (let count = 0; count < MAX_CHANNELS; count++) await created(wecom());

    expect(failureOf(await create(wecom()))).toEqual([409, "CONFLICT"]);
  });

  it("are deleted", async () => {
    const id = await created(wecom());

    expect((await app.root.delete(`${CHANNELS}/${id}`)).data).toEqual({});
    expect(await list()).toEqual([]);
    for (const answer of [
      await app.root.delete(`${CHANNELS}/${id}`),
      await update(id, { name: "新名称" }),
      await app.root.post(`${CHANNELS}/${MISSING}/test`),
    ]) {
      expect(failureOf(answer)).toEqual([404, "NOT_FOUND"]);
    }
  });
});

describe("the address of a channel", () => {
  it.each([
    ["url", "internal", "https://10.0.0.1/hook"],
    ["url", "local", "https://localhost/hook"],
    ["url", "not encrypted", "http://receiver.example.com/hook"],
    ["url", "with a password", "https://user:word@receiver.example.com/hook"],
  ])("is refused in %s when it is %s", async (field, _what, url) => {
    const id = await created(wecom());

    for (const answer of [
      await create(wecom({ config: { url } })),
      await update(id, { config: { url } }),
    ]) {
      expect(failureOf(answer)).toEqual([400, "INVALID_INPUT"]);
      expect(answer.data.errors[0].field).toBe(`config.${field}`);
    }
  });

  it("of an internal mail server is refused", async () => {
    const answer = await create(wecom({ type: "email", config: { ...mail, host: "127.0.0.1" } }));

    expect(failureOf(answer)).toEqual([400, "INVALID_INPUT"]);
    expect(answer.data.errors[0].field).toBe("config.host");
  });
});

describe("a change of a channel", () => {
  it("keeps what is absent, empty or sent back as it is shown", async () => {
    const url = `${receiver.origin}/robot/0123456789?key=one`;
    receiver.reset(answering(200, { errcode: 0, errmsg: "ok" }));
    const id = await created(wecom({ type: "dingtalk", config: { url, secret: SECRET } }));
    const [shown] = await list();

    for (const config of [{}, { url: "", secret: "" }, { url: null, secret: null }, shown.config]) {
      expect((await update(id, { config })).data).toEqual(shown);
    }

    expect((await test(id)).ok).toBe(true);
    expect(receiver.calls[0]?.url.searchParams.get("key")).toBe("one");
  });

  it("changes only what it names", async () => {
    const id = await created(wecom({ type: "email", config: mail }));

    const { data } = await update(id, {
      name: "邮件",
      isActive: false,
      types: ["host.expired", "host.expired"],
      config: { port: 587, security: "starttls", user: null },
    });

    expect(data).toMatchObject({
      name: "邮件",
      isActive: false,
      types: ["host.expired"],
      config: { ...mail, port: 587, security: "starttls", user: null, password: "••••" },
    });
  });

  it.each([
    [{ secret: "x" }, "config.secret"],
    [{ host: "smtp.example.com" }, "config.host"],
    [{ url: "ftp://example.com" }, "config.url"],
  ])("to %j is refused for a robot without that field", async (config, field) => {
    const id = await created(wecom());

    const answer = await update(id, { config });

    expect(failureOf(answer)).toEqual([400, "INVALID_INPUT"]);
    expect(answer.data.errors[0].field).toBe(field);
  });

  it("is an event for super admins", async () => {
    const id = await created(
      wecom({ type: "webhook", config: { url: ROBOT, secret: WEBHOOK_SECRET } }),
    );
    await update(id, { name: "新名称" });
    await app.root.delete(`${CHANNELS}/${id}`);

    const events = await app.database.query(
      "select payload from events where type = 'channel.changed'",
    );
    expect(events).toEqual([1, 2, 3].map(() => ({ payload: { channelId: id } })));
  });
});

describe("the address of a channel", () => {
  it.each([
    ["no path", "https://8.8.8.8", "https://8.8.8.8/••••"],
    ["a short path", "https://8.8.8.8:8443/hook/abcdefg", "https://8.8.8.8:8443/••••"],
    ["a long path", "https://8.8.8.8/hook/abcdefgh", "https://8.8.8.8/••••efgh"],
    ["a query", "https://8.8.8.8/?key=0123456789", "https://8.8.8.8/••••6789"],
  ])("is shown in part when it has %s", async (_what, url, shown) => {
    const { data } = await create(wecom({ config: { url } }));

    expect(data.config).toEqual({ url: shown });
  });
});

describe("the worker of a channel", () => {
  const webhook = (path: string) => {
    const config = { url: `${receiver.origin}${path}`, secret: WEBHOOK_SECRET };
    return created(wecom({ type: "webhook", config }));
  };
  /** A message that waits for its next try in an hour. */
  async function insertWaiting(channelId: string): Promise<void> {
    const text = { title: "同步连续失败", message: "" };
    await insertRows(app.database, "notice_deliveries", [
      {
        id: v7(),
        channel_id: channelId,
        channel_name: "渠道",
        batch_id: v7(),
        type: "sync.failing",
        created_at: now(),
        group_message: { severity: "warning", text, link: null, userIds: [], subjects: [] },
        status: "queued",
        attempts: 3,
        last_attempt_at: now() - 60,
        next_attempt_at: now() + 3_000,
        error: "无法连接对方或连接中断",
      },
    ]);
  }
  const lastDelivery = async (id: string) =>
    (await list()).find((channel: { id: string }) => channel.id === id).lastDelivery;

  it("sends the notice of a single act at once", async () => {
    const hostId = await insertHost(app);
    const config = { url: `${receiver.origin}/hook`, secret: WEBHOOK_SECRET };
    await created(wecom({ type: "webhook", config, types: ["assignment.given"] }));

    await assign(app, hostId, team.client.id);

    await expect.poll(() => receiver.calls.length, { timeout: within(5_000) }).toBe(1);
  });

  it("sends at once what waits when the configuration was mended", async () => {
    const id = await webhook("/one");
    await insertWaiting(id);
    expect(await lastDelivery(id)).toMatchObject({
      status: "queued",
      error: "无法连接对方或连接中断",
    });

    await update(id, { config: { url: `${receiver.origin}/two` } });

    await expect
      .poll(() => lastDelivery(id), WITHIN)
      .toMatchObject({ status: "sent", error: null });
    expect(receiver.calls.map((call) => call.url.pathname)).toEqual(["/two"]);
  });

  it("pauses a channel that refuses for good, and says until when", async () => {
    receiver.reset(answering(410, {}));
    const id = await webhook("/gone");
    const pausedUntil = async () =>
      (await list()).find((channel: { id: string }) => channel.id === id).pausedUntil;
    await insertWaiting(id);
    expect(await pausedUntil()).toBeNull();

    await update(id, { config: { url: `${receiver.origin}/away` } });
    await expect.poll(() => lastDelivery(id), WITHIN).toMatchObject({ status: "failed" });

    expect(await pausedUntil()).toBeGreaterThan(now() + 3_500);
    await update(id, { config: { url: `${receiver.origin}/mended` } });
    expect(await pausedUntil()).toBeNull();
  });

  it("is not held up by a channel that does not answer", async () => {
    receiver.reset((response, { url }) => url.pathname === "/dead" || response.end());
    const dead = await webhook("/dead");
    const other = await webhook("/other");
    for (const id of [dead, dead, other]) await insertWaiting(id);

    for (const [id, path] of [
      [dead, "/dead"],
      [other, "/other"],
    ] as const) {
      await update(id, { config: { url: `${receiver.origin}${path}` } });
    }

    await expect.poll(() => lastDelivery(other), WITHIN).toMatchObject({ status: "sent" });
    expect(await lastDelivery(dead)).toMatchObject({ status: "queued" });
  });
});
