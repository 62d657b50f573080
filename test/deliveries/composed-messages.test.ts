import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import { answering, startReceiver } from "../harness/receiver.ts";
import { ORIGIN, useDeliveries } from "./fixture.ts";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const receiver = await startReceiver();
afterAll(() => receiver[Symbol.asyncDispose]());
const world = useDeliveries([receiver.origin]);
const { clock } = world;

const url = `${receiver.origin}/hook`;
const webhook = () => world.channel({ type: "webhook", config: { url, secret: SECRET } });
const sentData = () => JSON.parse(receiver.calls[0]?.body ?? "null")?.data;
const expiring = { type: "assignment.expiring", title: "2 台主机即将到期" } as const;

let root: string;
let client: string;
beforeEach(async () => {
  receiver.reset();
  root = await world.user("super_admin", { name: "管理员" });
  client = await world.user("client", { name: "张三" });
});

describe("a message to a group or a program", () => {
  it("names hosts, ends and users as a super admin sees them now", async () => {
    const channel = await world.channel(
      { type: "webhook", config: { url, secret: SECRET } },
      { types: ["renewal.submitted"] },
    );
    const [late = "", early = ""] = await world.hosts("晚到期", "早到期");
    const other = await world.user("client", { name: "李四" });
    const first = await world.assignment(late, client, 5);
    await world.assignment(late, other, 30);
    const second = await world.assignment(early, client, 2);

    await world.notify({
      type: "renewal.submitted",
      title: "新的续费申请：2 台主机",
      userId: root,
      message: "张三 申请续费，请及时处理。",
      link: "/hosts?assignedExpiring=7",
      subjects: [first, second],
    });
    await world.query("update hosts set name = '新名称' where id = $1", [early]);
    await world.deliver(channel);

    expect(JSON.parse(receiver.calls[0]?.body ?? "")).toEqual({
      type: "renewal.submitted",
      timestamp: new Date(clock.now() * 1000 - 1000).toISOString(),
      data: {
        id: receiver.calls[0]?.headers["webhook-id"],
        severity: "warning",
        title: "新的续费申请：2 台主机",
        message: "张三 申请续费，请及时处理。",
        createdAt: clock.now() - 1,
        hosts: [
          { hostId: early, hostName: "新名称", daysLeft: 2, users: ["张三"] },
          { hostId: late, hostName: "晚到期", daysLeft: 5, users: ["张三"] },
        ].map((host) => ({ ...host, expireTime: clock.now() - 1 + host.daysLeft * DAY_SECONDS })),
        moreHosts: 0,
        link: `${ORIGIN}/hosts?assignedExpiring=7`,
      },
    });
  });

  it("says neither tags nor notes", async () => {
    const channel = await webhook();
    const [host = ""] = await world.hosts("一");
    const subjects = [await world.assignment(host, client)];
    await world.query("update hosts set tags = '[\"机密\"]', note = '机密'");
    await world.query("update users set note = '机密'");

    await world.notify({ ...expiring, userId: root, title: "1 台主机即将到期", subjects });
    await world.deliver(channel);

    expect(receiver.calls).toHaveLength(1);
    expect(receiver.calls[0]?.body).not.toContain("机密");
  });

  it("tells of the hosts of all notices of its batch, and who was told", async () => {
    const channel = await webhook();
    const [one = "", two = ""] = await world.hosts("一", "二");
    const mine = await world.assignment(one, client);
    const subjects = [mine, await world.assignment(two, client)];

    await world.notify(
      { ...expiring, userId: client, title: "您的 1 台主机即将到期", subjects: [mine] },
      { ...expiring, userId: root, subjects },
    );
    await world.deliver(channel);

    expect(sentData()).toMatchObject({
      title: "主机即将到期",
      message: "已通知：管理员、张三",
      hosts: [{ hostId: one }, { hostId: two }],
    });
  });

  it("says of an account only who was told, also when it is that of a super admin", async () => {
    const channel = await world.channel(
      { type: "webhook", config: { url, secret: SECRET } },
      { types: ["security.new_address"] },
    );

    const message = "您的账号刚刚从 203.0.113.9 登录";
    await world.notify({ type: "security.new_address", userId: root, message });
    await world.deliver(channel);

    expect(sentData()).toMatchObject({ title: "新地址登录", message: "已通知：管理员" });
    expect(receiver.calls[0]?.body).not.toContain("203.0.113.9");
  });

  it("neither names nor counts a host that was taken back meanwhile", async () => {
    const channel = await webhook();
    const [kept = "", lost = ""] = await world.hosts("留下", "收回");
    const gone = await world.assignment(lost, client);

    const subjects = [await world.assignment(kept, client), gone];
    await world.notify({ ...expiring, userId: root, subjects });
    await world.endAssignment(gone);
    await world.deliver(channel);

    expect(sentData()).toMatchObject({
      title: "主机即将到期：1 台主机",
      hosts: [{ hostId: kept }],
    });
    expect(receiver.calls[0]?.body).not.toContain("收回");
  });

  it("names the hosts that were taken back, without an end", async () => {
    const channel = await world.channel(
      { type: "webhook", config: { url, secret: SECRET } },
      { types: ["assignment.ended"] },
    );
    const [host = ""] = await world.hosts("收回");
    const subject = await world.assignment(host, client);

    await world.endAssignment(subject);
    await world.notify({ type: "assignment.ended", userId: client, subjects: [subject] });
    await world.deliver(channel);

    expect(sentData()).toMatchObject({
      title: "主机已收回",
      message: "已通知：张三",
      hosts: [{ hostId: host, hostName: "收回", expireTime: null, daysLeft: null, users: [] }],
    });
  });

  it.each([
    ["its notice is deleted", "delete from notices"],
    ["the reader of its notice is disabled", "update users set is_active = false"],
  ])("is sent when %s", async (_what, statement) => {
    const channel = await webhook();
    const [host = ""] = await world.hosts("一");
    const subjects = [await world.assignment(host, client)];
    await world.notify({ ...expiring, userId: client, subjects });
    await world.query(statement);

    await world.deliver(channel);

    expect(sentData()).toMatchObject({ message: "已通知：张三", hosts: [{ hostId: host }] });
  });

  it("is skipped when every host was taken back", async () => {
    const channel = await webhook();
    const [host = ""] = await world.hosts("一");
    const subjects = [await world.assignment(host, client)];
    await world.notify({ ...expiring, userId: client, subjects });
    await world.query("update assignments set ended_at = 1900000000");

    await world.deliver(channel);

    expect(await world.deliveries()).toMatchObject([
      { status: "skipped", attempts: 0, error: expect.stringContaining("已收回") },
    ]);
    expect(receiver.calls).toHaveLength(0);
  });
});

describe("a message of many hosts", () => {
  const names = Array.from({ length: 210 }, (_, index) => `主机-${index}-${"长".repeat(50)}`);

  async function sendAbout(channel: string, hostNames: readonly string[]) {
    const hosts = await world.hosts(...hostNames);
    const subjects = hosts.map((hostId) => ({ hostId, assignmentId: null }));
    await world.notify({ type: "sync.failing", userId: root, subjects });
    await world.deliver(channel);
    expect(await world.deliveries()).toMatchObject([{ status: "sent" }]);
    return JSON.parse(receiver.calls[0]?.body ?? "");
  }

  const linesOf = (text: string) => text.split("\n").filter((line) => line.startsWith("> "));

  it.each([
    ["wecom", 4_096],
    ["dingtalk", 20_000],
    ["feishu", 20_000],
  ] as const)("is cut by whole lines for %s", async (type, max) => {
    receiver.reset(answering(200, type === "feishu" ? { code: 0 } : { errcode: 0 }));
    const setup =
      type === "wecom"
        ? ({ type, config: { url } } as const)
        : { type, config: { url, secret: "s" } };
    const body = await sendAbout(await world.channel(setup), names);

    const { markdown, card } = body;
    const text: string = markdown?.content ?? markdown?.text ?? card.elements[0].content;
    const size = Buffer.byteLength(type === "wecom" ? text : (receiver.calls[0]?.body ?? ""));
    expect(size).toBeLessThanOrEqual(max);
    expect(size).toBeGreaterThan(max - 400);
    const lines = linesOf(text);
    expect(lines.at(-1)).toBe(`> 另有 ${names.length - lines.length + 1} 台`);
    for (const line of lines.slice(0, -1))
      expect(line).toMatch(/^> 主机-\d+-长+：2030-03-18 01:46 已到期$/);
    expect(text).toContain(`(${ORIGIN}/configs)`);
  });

  it("names the first 200 to a webhook", async () => {
    const { data } = await sendAbout(await webhook(), names);

    expect(data.hosts).toHaveLength(200);
    expect(data.moreHosts).toBe(10);
  });

  it("names three users of a host and counts all", async () => {
    receiver.reset(answering(200, { errcode: 0 }));
    const channel = await world.channel({ type: "wecom", config: { url } });
    const [host = ""] = await world.hosts("共用");
    const subjects = [];
    for (const name of ["一", "七", "三", "四"]) {
      subjects.push(await world.assignment(host, await world.user("client", { name })));
    }

    await world.notify({ ...expiring, userId: root, subjects });
    await world.deliver(channel);

    const { markdown } = JSON.parse(receiver.calls[0]?.body ?? "");
    expect(linesOf(markdown.content)[0]).toMatch(/^> 共用（.、.、. 等 4 人）：/);
  });

  it("shows markup and mentions in names as text", async () => {
    receiver.reset(answering(200, { errcode: 0 }));
    const channel = await world.channel({ type: "wecom", config: { url } });

    const { markdown } = await sendAbout(channel, ["<@all> [点我](http://evil)\n# `标题`"]);

    expect(linesOf(markdown.content)[0]).toContain(
      "> ＜@all＞ ［点我］(http://evil) ＃ ｀标题｀：",
    );
  });
});
