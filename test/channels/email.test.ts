import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { sendEmail } from "../../src/server/modules/channels/kinds/email.ts";
import type { Message, Recipient } from "../../src/server/modules/channels/message.ts";
import { createOutboundGuard, type ResolveAll } from "../../src/server/platform/egress/guard.ts";
import type { EmailConfig } from "../../src/shared/notice-channels.ts";
import { fixedClock } from "../harness/clocks.ts";
import { startMailServer } from "../harness/mail-server.ts";
import { buildMessage, buildMessageHost, MESSAGE_TIME } from "../harness/message.ts";
import { freePort, portOf } from "../harness/ports.ts";
import { SELF_SIGNED } from "../provider/self-signed.ts";

type Config = z.infer<typeof EmailConfig>;

const ZHANG: Recipient = { name: "张三", address: "zhangsan@example.com" };
const SECRET = "mail-password-marker";
const ACCOUNT = { user: "notice", password: SECRET };

interface Sending {
  readonly port: number;
  readonly config?: Partial<Config>;
  readonly message?: Message;
  readonly recipient?: Recipient;
  readonly isAllowed?: boolean;
  readonly resolve?: ResolveAll;
  readonly signal?: AbortSignal;
}

/** Sends a letter to the server on this port, which the operator allows unless the test says so. */
async function send({ port, config, message = buildMessage(), ...more }: Sending) {
  const { recipient = ZHANG, isAllowed = true, resolve, signal } = more;
  const host = config?.host ?? "127.0.0.1";
  await using outbound = createOutboundGuard({
    allowedOrigins: [],
    allowedServers: isAllowed ? [`${host}:${port}`] : [],
    ...(resolve && { resolve }),
  });
  const deps = {
    outbound,
    clock: fixedClock(MESSAGE_TIME),
    signal: signal ?? new AbortController().signal,
  };
  const sender = "多主机管理系统, 通知 <notice@example.com>";
  const settings = { host, port, security: "none", sender, ...config } as const;
  return await sendEmail(deps, settings, message, recipient);
}

describe("a letter", () => {
  it("arrives as text and HTML with names in any script", async () => {
    await using server = await startMailServer();
    const hosts = [buildMessageHost({ name: "数据库-主节点 😀 עברית", userNames: ["李四"] })];
    const message = buildMessage({ hosts, title: "主机“数据库”即将到期 😀" });

    const outcome = await send({ port: server.port, message });

    expect(outcome).toEqual({ kind: "sent", answer: "邮件服务器已接受（250 queued as 4Zx1）" });
    const [mail] = server.mails;
    expect(mail).toMatchObject({ sender: "notice@example.com", recipients: [ZHANG.address] });
    expect(mail?.text).toContain("数据库-主节点 😀 עברית");
    expect(mail?.html).toContain("数据库-主节点 😀 עברית");
    expect(Object.fromEntries(mail?.headers ?? [])).toMatchObject({
      subject: "主机“数据库”即将到期 😀",
      from: "多主机管理系统, 通知 <notice@example.com>",
      to: "张三 <zhangsan@example.com>",
      date: "Fri, 15 Jan 2027 08:00:00 +0000",
      "message-id": `<${message.id}@example.com>`,
      "auto-submitted": "auto-generated",
      "list-unsubscribe": "<https://console.example.com/account>",
    });
  });

  it("names the sender to unsubscribe while the console has no address", async () => {
    await using server = await startMailServer();

    await send({ port: server.port, message: buildMessage({ url: null }) });

    expect(server.mails[0]?.headers.get("list-unsubscribe")).toBe(
      "<mailto:notice@example.com?subject=unsubscribe>",
    );
  });

  it("keeps headers of its own out of a title and a name", async () => {
    await using server = await startMailServer();
    const recipient = { ...ZHANG, name: "张三\r\nBcc: evil@example.com" };
    const message = buildMessage({ title: "到期\r\nBcc: evil@example.com" });

    await send({ port: server.port, message, recipient });

    expect(server.mails[0]?.recipients).toEqual([ZHANG.address]);
    expect(server.mails[0]?.headers.has("bcc")).toBe(false);
  });
});

describe("an answer of the server", () => {
  it("ends the letter when it refuses the recipient, whose address it does not repeat", async () => {
    const text = `5.1.1 <${ZHANG.address}> no such user\n${"x".repeat(900)}`;
    await using server = await startMailServer({ refuse: () => ({ code: 550, text }) });

    const outcome = await send({ port: server.port });

    expect(outcome).toMatchObject({
      kind: "undeliverable",
      error: expect.stringMatching(
        /^邮件服务器没有接受收件人（550 5\.1\.1 <••••> no such user.*…）$/,
      ),
    });
    expect(JSON.stringify(outcome).length).toBeLessThan(300);
  });

  it("is shown without the account, the sender and the server", async () => {
    const sender = "通知 <Notice@Example.com>";
    const text = "robot-user: notice@example.com is unknown at 127.0.0.1";
    const account = { user: "robot-user", password: SECRET };
    await using server = await startMailServer({ account, refuse: () => ({ code: 550, text }) });

    const config = { ...account, sender };
    const outcome = await send({ port: server.port, config });

    expect(outcome).toMatchObject({
      error: "邮件服务器没有接受收件人（550 ••••: •••• is unknown at ••••）",
    });
  });

  it("asks for another try, which has the same Message-ID", async () => {
    const busy = { code: 451, text: "greylisted" };
    await using server = await startMailServer({
      refuse: (_address, number) => (number === 1 ? busy : null),
    });

    const first = await send({ port: server.port });
    const second = await send({ port: server.port });
    const third = await send({ port: server.port });

    expect(first).toEqual({ kind: "retry", error: "邮件服务器没有接受收件人（451 greylisted）" });
    expect([second.kind, third.kind]).toEqual(["sent", "sent"]);
    const ids = server.mails.map(({ headers }) => headers.get("message-id"));
    expect(new Set(ids).size).toBe(1);
  });

  it("pauses the channel when the server closes", async () => {
    await using server = await startMailServer({
      refuse: () => ({ code: 421, text: "too many letters" }),
    });

    expect(await send({ port: server.port })).toMatchObject({ kind: "retry", pauseSeconds: 60 });
  });
});

describe("signing in", () => {
  it("sends as the account", async () => {
    await using server = await startMailServer({ account: ACCOUNT });

    const outcome = await send({ port: server.port, config: ACCOUNT });

    expect(outcome.kind).toBe("sent");
    expect(server.mails[0]?.user).toBe("notice");
  });

  it("ends with a sentence that says what to do, without the password", async () => {
    await using server = await startMailServer({ account: { ...ACCOUNT, password: "another" } });

    const outcome = await send({ port: server.port, config: ACCOUNT });

    expect(outcome).toMatchObject({
      kind: "refused",
      pauseSeconds: 3_600,
      error: expect.stringContaining("请检查用户名与密码（部分邮箱须使用授权码）"),
    });
    expect(JSON.stringify(outcome)).not.toContain(SECRET);
    expect(server.mails).toEqual([]);
  });

  it("asks for an account where the server wants one", async () => {
    await using server = await startMailServer({ account: ACCOUNT });

    expect(await send({ port: server.port })).toMatchObject({
      kind: "refused",
      error: expect.stringContaining("邮件服务器要求登录"),
    });
  });

  it("never sends a password in clear to a server that is not allowed", async () => {
    const config = { ...ACCOUNT, host: "smtp.example.com" };

    const outcome = await send({ port: 25, isAllowed: false, config, resolve: unreachable });

    expect(outcome).toMatchObject({
      kind: "retry",
      error: expect.stringContaining("未加密的连接会泄露用户名与密码"),
    });
  });
});

describe("encryption", () => {
  const certificate = SELF_SIGNED;

  it.each(["tls", "starttls"] as const)("%s protects letter and password", async (security) => {
    const options = { certificate, isTls: security === "tls", account: ACCOUNT };
    await using server = await startMailServer(options);

    const config = { ...ACCOUNT, security };
    const outcome = await trusting(certificate.cert, () => send({ port: server.port, config }));

    expect(outcome.kind).toBe("sent");
    expect(server.mails).toMatchObject([{ isEncrypted: true, user: "notice" }]);
  });

  it.each(["tls", "starttls"] as const)("%s refuses an unknown certificate", async (security) => {
    await using server = await startMailServer({ certificate, isTls: security === "tls" });

    const outcome = await send({ port: server.port, config: { security } });

    expect(outcome).toMatchObject({
      kind: "retry",
      error: expect.stringContaining("证书校验失败"),
    });
    expect(server.mails).toEqual([]);
  });

  it("checks the certificate for the name, not for the address it leads to", async () => {
    await using server = await startMailServer({ certificate, isTls: true });

    const config = { security: "tls", host: "smtp.example.com" } as const;
    const resolve = resolvingTo("127.0.0.1");
    const outcome = await trusting(certificate.cert, () =>
      send({ port: server.port, config, resolve }),
    );

    expect(outcome).toMatchObject({ error: expect.stringContaining("证书校验失败") });
  });

  it("does without only where it was chosen", async () => {
    await using server = await startMailServer();

    const outcome = await send({ port: server.port, config: { security: "starttls" } });

    expect(outcome).toMatchObject({
      kind: "retry",
      error: "邮件服务器不支持 STARTTLS，请更改加密方式",
    });
    expect(server.mails).toEqual([]);
  });
});

describe("the address of the server", () => {
  it("is not called when it is private and not allowed", async () => {
    await using server = await startMailServer();

    const literal = await send({ port: server.port, isAllowed: false });
    const config = { host: "smtp.example.com" };
    const resolve = resolvingTo("127.0.0.1");
    const named = await send({ port: server.port, isAllowed: false, config, resolve });

    const error = expect.stringContaining("已拒绝访问");
    expect([literal, named]).toMatchObject([
      { kind: "retry", error },
      { kind: "retry", error },
    ]);
    expect(server.mails).toEqual([]);
  });

  it("is the one that was checked, whatever the name leads to next", async () => {
    await using server = await startMailServer();
    let asked = 0;
    const resolve: ResolveAll = (_name, done) => {
      asked += 1;
      done(null, [{ address: asked === 1 ? "127.0.0.1" : "127.0.0.2", family: 4 }]);
    };

    const config = { host: "smtp.example.com" };
    const outcome = await send({ port: server.port, config, resolve });

    expect(outcome.kind).toBe("sent");
    expect(asked).toBe(1);
  });

  it("is that of the other family where the first one cannot be reached", async () => {
    await using server = await startMailServer();
    const resolve: ResolveAll = (_name, done) => {
      const unreachable = { address: "::1", family: 6 };
      done(null, [unreachable, { address: "127.0.0.1", family: 4 }]);
    };

    const config = { host: "smtp.example.com" };
    const outcome = await send({ port: server.port, config, resolve });

    expect(outcome.kind).toBe("sent");
    expect(server.mails).toHaveLength(1);
  });

  it("is tried again later when nobody answers there", async () => {
    const config = { host: "smtp.example.com" };
    const refused = await send({ port: await freePort() });
    const unresolved = await send({ port: 25, config, resolve: failing("ENOTFOUND") });

    expect([refused, unresolved]).toMatchObject([
      { kind: "retry", pauseSeconds: 60, error: expect.stringContaining("无法连接邮件服务器") },
      { kind: "retry", pauseSeconds: 60, error: expect.stringContaining("无法解析服务器地址") },
    ]);
  });
});

describe("a server that is silent", () => {
  it("is given up after five seconds", async () => {
    await using server = await startSilentServer();

    const outcome = await send({ port: server.port });

    expect(outcome).toMatchObject({
      kind: "retry",
      error: expect.stringContaining("没有及时答复"),
    });
  });

  it("is left at once when the process stops", async () => {
    await using server = await startSilentServer();
    const stopping = new AbortController();

    const sending = send({ port: server.port, signal: stopping.signal });
    await server.connected;
    stopping.abort(new Error("stopping"));

    await expect(sending).rejects.toThrow("stopping");
  });
});

/** Accepts connections and says nothing. */
async function startSilentServer() {
  const sockets: Socket[] = [];
  const server = createServer((socket) => sockets.push(socket.on("error", () => {})));
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    port: portOf(server),
    connected: once(server, "connection"),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await server[Symbol.asyncDispose]();
    },
  };
}

async function trusting<Result>(cert: string, work: () => Promise<Result>): Promise<Result> {
  const trusted = getCACertificates("default");
  setDefaultCACertificates([...trusted, cert]);
  try {
    return await work();
  } finally {
    setDefaultCACertificates(trusted);
  }
}

function resolvingTo(address: string): ResolveAll {
  return (_name, done) => done(null, [{ address, family: 4 }]);
}

function failing(code: string): ResolveAll {
  return (_name, done) => done(Object.assign(new Error(code), { code }), []);
}

function unreachable(): never {
  throw new Error("nothing must be resolved");
}
