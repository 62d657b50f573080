import { afterAll, beforeEach, expect, it } from "vitest";
import { type Account, useApp } from "../harness/app.ts";
import { assign, insertHost } from "../harness/data.ts";
import { startMailServer } from "../harness/mail-server.ts";
import { assertOk } from "../harness/rest.ts";

const ACCOUNT = { user: "notice", password: "marker-mail-password" };

const mailServer = await startMailServer({ account: ACCOUNT });
afterAll(() => mailServer[Symbol.asyncDispose]());
beforeEach(() => {
  mailServer.mails.length = 0;
});

const allowed = { origins: [], servers: [`127.0.0.1:${mailServer.port}`] };
const app = useApp({
  config: { outboundAllowed: allowed, publicOrigins: ["https://console.example.com"] },
});

async function createChannel(more: object = {}): Promise<string> {
  const config = {
    host: "127.0.0.1",
    port: mailServer.port,
    security: "none",
    sender: "notice@example.com",
    ...ACCOUNT,
    ...more,
  };
  const channel = { name: "邮件", type: "email", config, types: ["assignment.given"] };
  return (await assertOk(app.root.post("/api/notice-channels", channel))).data.id;
}

async function setEmail({ id }: Account, email: string): Promise<void> {
  await assertOk(app.root.put(`/api/users/${id}`, { email }));
}

/** Name, status and reason of each decided delivery. */
async function deliveries() {
  return await app.database.query(
    `select u.username, d.status, d.error from notice_deliveries d
       join notices n on n.id = d.notice_id join users u on u.id = n.user_id
     where d.status <> 'queued' order by u.username`,
  );
}

it("a letter goes to who has an address and wants it, and to nobody else", async () => {
  await createChannel();
  const wanting = await app.account("client", { username: "a_wanting" });
  const refusing = await app.account("client", { username: "b_refusing" });
  const unreachable = await app.account("client", { username: "c_unreachable" });
  await setEmail(wanting, "wanting@example.com");
  await setEmail(refusing, "refusing@example.com");
  await assertOk(refusing.put("/api/auth/preferences", { email: false }));

  const hostId = await insertHost(app, { name: "数据库-主节点" });
  for (const { id } of [wanting, refusing, unreachable]) await assign(app, hostId, id);

  await expect.poll(deliveries, { timeout: 30_000 }).toEqual([
    { username: "a_wanting", status: "sent", error: null },
    { username: "b_refusing", status: "skipped", error: "接收人已关闭邮件通知" },
    { username: "c_unreachable", status: "skipped", error: "接收人没有填写邮箱" },
  ]);
  expect(mailServer.mails.map(({ recipients }) => recipients)).toEqual([["wanting@example.com"]]);
  const [mail] = mailServer.mails;
  expect(mail?.text).toContain("1. 数据库-主节点");
  expect(mail?.text).toContain(`https://console.example.com/hosts?host=${hostId}`);
  // Who else has the host is not a client's to know.
  expect(mail?.source).not.toContain("refusing");
});

it("a test goes to the own address, and a failure says why without the password", async () => {
  await setEmail(app.root, "root@example.com");
  const channel = await createChannel();
  const broken = await createChannel({ password: "another-marker" });

  const passed = await app.root.post(`/api/notice-channels/${channel}/test`);
  const failed = await app.root.post(`/api/notice-channels/${broken}/test`);

  expect(passed.data).toMatchObject({ ok: true, message: expect.stringContaining("已接受") });
  expect(mailServer.mails).toMatchObject([{ recipients: ["root@example.com"], user: "notice" }]);
  expect(failed.data).toMatchObject({ ok: false, message: expect.stringContaining("授权码") });
  expect(JSON.stringify(failed.data)).not.toContain("marker");
});
