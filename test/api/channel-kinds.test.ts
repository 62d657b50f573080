import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { useApp } from "../harness/app.ts";
import { now } from "../harness/data.ts";
import { answering, startReceiver } from "../harness/receiver.ts";
import { assertOk } from "../harness/rest.ts";

const SECRET = "SECmarker0123456789";
const WEBHOOK_SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const TOKEN = "robot-token-0123456789";

const receiver = await startReceiver();
afterAll(() => receiver[Symbol.asyncDispose]());
beforeEach(() => receiver.reset());
const app = useApp({ config: { outboundAllowed: { origins: [receiver.origin], servers: [] } } });

const url = `${receiver.origin}/send?access_token=${TOKEN}`;
const SETUPS = {
  wecom: { config: { url } },
  dingtalk: { config: { url, secret: SECRET } },
  feishu: { config: { url, secret: SECRET } },
  webhook: { config: { url, secret: WEBHOOK_SECRET } },
} as const;
type Kind = keyof typeof SETUPS;

/** Sends a test message through a new channel. */
async function test(type: Kind, config: object = SETUPS[type].config) {
  const channel = { name: "渠道", type, config, types: [] };
  const { data } = await assertOk(app.root.post("/api/notice-channels", channel));
  const { data: result } = await assertOk(app.root.post(`/api/notice-channels/${data.id}/test`));
  const [call] = receiver.calls;
  return { result, call, body: JSON.parse(call?.body ?? "null") };
}

const base64 = (key: string, text: string) =>
  createHmac("sha256", key).update(text).digest("base64");

describe("a test message", () => {
  it("to WeCom is markdown", async () => {
    receiver.reset(answering(200, { errcode: 0, errmsg: "ok" }));

    const { result, call, body } = await test("wecom");

    expect(result).toEqual({
      ok: true,
      message: "企业微信已接受",
      latencyMs: expect.any(Number),
    });
    expect(body).toEqual({
      msgtype: "markdown",
      markdown: { content: expect.stringMatching(/^### 测试消息\n\n这是一条测试消息。/) },
    });
    expect(call?.url.search).toBe(`?access_token=${TOKEN}`);
  });

  it("to DingTalk is signed in its address", async () => {
    receiver.reset(answering(200, { errcode: 0, errmsg: "ok" }));

    const { result, call, body } = await test("dingtalk");

    expect(result.ok).toBe(true);
    const { timestamp, sign, access_token } = Object.fromEntries(call?.url.searchParams ?? []);
    expect(access_token).toBe(TOKEN);
    expect(Math.abs(Number(timestamp) / 1000 - now())).toBeLessThan(60);
    expect(sign).toBe(base64(SECRET, `${timestamp}\n${SECRET}`));
    expect(body).toMatchObject({ msgtype: "markdown", markdown: { title: "测试消息" } });
  });

  it("to Feishu is a card that is signed in its body", async () => {
    receiver.reset(answering(200, { code: 0, msg: "success" }));

    const { result, body } = await test("feishu");

    expect(result.ok).toBe(true);
    expect(Math.abs(Number(body.timestamp) - now())).toBeLessThan(60);
    expect(body.sign).toBe(base64(`${body.timestamp}\n${SECRET}`, ""));
    expect(body).toMatchObject({
      msg_type: "interactive",
      card: { header: { title: { content: "测试消息" } } },
    });
  });

  it("to a webhook is verified by the library of Standard Webhooks", async () => {
    receiver.reset(answering(204));

    const { result, call } = await test("webhook");

    expect(result).toMatchObject({ ok: true, message: "对方已接受（HTTP 204）" });
    const headers = Object.fromEntries(
      Object.entries(call?.headers ?? {}).map(([name, value]) => [name, String(value)]),
    );
    expect(new Webhook(WEBHOOK_SECRET).verify(call?.body ?? "", headers)).toMatchObject({
      type: "test",
      data: { id: headers["webhook-id"], title: "测试消息", hosts: [], link: null },
    });
  });
});

describe("what a channel answers", () => {
  it.each<[Kind, number, string]>([
    ["wecom", 45009, "企业微信限制了发送频率"],
    ["wecom", 93000, "地址中的 key 不正确"],
    ["wecom", 40008, "企业微信没有接受消息"],
    ["dingtalk", 130101, "钉钉限制了发送频率"],
    ["dingtalk", 660026, "钉钉限制了发送频率"],
    ["dingtalk", 310000, "钉钉的安全设置不匹配"],
    ["dingtalk", 300001, "地址中的 access_token 不正确"],
    ["dingtalk", 300005, "地址中的 access_token 不正确"],
    ["feishu", 11232, "飞书限制了发送频率"],
    ["feishu", 19021, "签名不正确"],
    ["feishu", 9499, "飞书无法识别消息的内容"],
  ])("by %s as code %i is explained", async (type, code, reason) => {
    const answer = type === "feishu" ? { code, msg: "no" } : { errcode: code, errmsg: "no" };
    receiver.reset(answering(200, answer));

    const { result } = await test(type);

    expect(result.ok).toBe(false);
    expect(result.message).toContain(reason);
    expect(result.message).toContain(`（错误码 ${code}：no）`);
  });

  it.each([
    [301, "跳转（HTTP 301）"],
    [404, "HTTP 404"],
    [410, "停用此地址"],
    [429, "降低发送频率"],
    [503, "暂时不可用（HTTP 503）"],
  ])("as HTTP %i is explained", async (status, reason) => {
    receiver.reset(answering(status, { errcode: 0 }, { location: `${receiver.origin}/other` }));

    const { result } = await test("wecom");

    expect(result).toMatchObject({ ok: false, message: expect.stringContaining(reason) });
    expect(receiver.calls).toHaveLength(1);
  });

  it.each([
    ["a page", "<html>robot</html>"],
    ["another JSON", '{"ok":true}'],
    ["nothing", ""],
  ])("as %s is no success", async (_what, text) => {
    receiver.reset((response) => response.end(text));

    const { result } = await test("feishu");

    expect(result).toMatchObject({ ok: false, message: "飞书的答复无法识别，请检查地址" });
  });

  it("as megabytes is not read to its end", async () => {
    receiver.reset((response) => response.end("x".repeat(2_000_000)));

    const { result } = await test("webhook");

    expect(result).toMatchObject({ ok: false, message: "对方的答复过大" });
  });

  it("as a broken connection is explained", async () => {
    receiver.reset((response) => response.destroy());

    const { result } = await test("webhook");

    expect(result).toMatchObject({ ok: false, message: "无法连接对方或连接中断" });
  });

  it("is shown shortened, as one line and without secrets", async () => {
    const errmsg = `<b>坏\n地址</b> ${url} ${TOKEN} ${SECRET} ${"长".repeat(500)}`;
    receiver.reset(answering(200, { errcode: 1, errmsg }));

    const { result } = await test("dingtalk");

    expect(result.message).toContain("<b>坏 地址</b> •••• •••• •••• 长长");
    expect(result.message.length).toBeLessThan(250);
  });

  it("is shown without a secret that is short", async () => {
    receiver.reset(answering(200, { errcode: 1, errmsg: "bad SEC-1" }));

    const { result } = await test("dingtalk", { url, secret: "SEC-1" });

    expect(result.message).toContain("：bad ••••）");
  });
});
