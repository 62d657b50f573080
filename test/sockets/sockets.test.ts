import { type IncomingHttpHeaders, request } from "node:http";
import { createTRPCClient, createWSClient, wsLink } from "@trpc/client";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { openTestDatabase, type TestDatabase } from "../harness/database.ts";
import { connect, follow, seen } from "./raw-client.ts";
import {
  openSession,
  progress,
  type Replica,
  settingsChanged,
  signIn,
  startReplica,
  type streamRouter,
} from "./replica.ts";

let database: TestDatabase;
let replica: Replica;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());
beforeEach(async () => {
  await database.clear();
  replica = await startReplica(database, { publicOrigins: ["https://console.example"] });
});
afterEach(() => replica[Symbol.asyncDispose]());

const REQUEST_ID = /^[0-9a-f-]{36}$/;

describe("the handshake", () => {
  it.each([
    ["a foreign page", "https://evil.example", 403],
    ["a sandboxed page", "null", 403],
    ["another port of the same host", "http://127.0.0.1:1", 403],
    ["a listed origin", "https://console.example", 101],
    ["no browser", undefined, 101],
  ])("from %s", async (_who, origin, status) => {
    expect((await upgrade("/trpc", { origin })).status).toBe(status);
  });

  it("from its own page, also where a proxy ends https", async () => {
    const host = `127.0.0.1:${replica.port}`;
    expect((await upgrade("/trpc", { origin: `http://${host}` })).status).toBe(101);
    expect((await upgrade("/trpc", { origin: "https://a.example", host: "a.example" })).status).toBe(101);
    expect((await upgrade("/trpc", { origin: "https://a.example", host: "a.example:443" })).status).toBe(101);
  });

  it.each(["/", "/trpc/", "/TRPC", "//trpc", "/trpc%2f", "/api/hosts", "/trpc/../trpc"])(
    "is refused at %s with a JSON 404",
    async (path) => {
      const answer = await upgrade(path);
      expect(answer.status).toBe(404);
      expect(JSON.parse(answer.body)).toMatchObject({ code: "NOT_FOUND", message: "请求的接口不存在" });
    },
  );

  it("is refused with the headers that every answer has", async () => {
    const { headers } = await upgrade("/trpc", { origin: "https://evil.example" });
    expect(headers).toMatchObject({
      "cache-control": "no-store",
      "content-security-policy": expect.stringContaining("frame-ancestors 'none'"),
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
    });
  });

  it("is refused in JSON when it is malformed", async () => {
    const answer = await upgrade("/trpc", { "sec-websocket-key": "short" });
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toMatchObject({ code: "INVALID_INPUT" });
  });
});

describe("who may keep a socket", () => {
  it("closes one that says nothing within 5 s", async () => {
    const started = performance.now();
    await using client = await connect(replica.url, null);
    expect(await client.closed).toEqual({ code: 4401, reason: "UNAUTHENTICATED" });
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it.each(["no-such-token", "", "空"])("closes one with the token %j at once", async (token) => {
    await using client = await connect(replica.url, token);
    expect(await client.closed).toEqual({ code: 4401, reason: "UNAUTHENTICATED" });
    expect(client.messages.map(({ error }) => error?.data.code)).toEqual(["UNAUTHENTICATED"]);
    expect(client.messages[0]?.error?.data.requestId).toMatch(REQUEST_ID);
  });

  it("closes one that makes a call instead of naming its token, without making the call", async () => {
    await using client = await connect(replica.url, null);
    client.send({ id: 1, method: "mutation", params: { path: "auth.login", input: { username: "a", password: "b" } } });
    expect((await client.closed).code).toBe(4401);
    expect(client.messages.every(({ id }) => id === null)).toBe(true);
  });

  it("takes no token from the address", async () => {
    const { token } = await signIn(database, "client");
    const socket = new WebSocket(`${replica.url}?token=${token}`);
    const code = await new Promise((resolve) => socket.once("close", resolve));
    expect(code).toBe(4401);
  });

  it("refuses expired and disabled callers", async () => {
    const expired = await signIn(database, "client");
    await database.query("update sessions set expires_at = 1 where id = $1", [expired.sessionId]);
    const disabled = await signIn(database, "client");
    await database.query("update users set is_active = false where id = $1", [disabled.userId]);
    for (const { token } of [expired, disabled]) {
      await using client = await connect(replica.url, token);
      expect((await client.closed).code).toBe(4401);
    }
  });

  it("lets a user have 10 sockets; the 11th is told why it is not kept", async () => {
    const { token } = await signIn(database, "client");
    await using open = new AsyncDisposableStack();
    for (let n = 0; n < 10; n++) open.use(await follow(replica.url, token));
    await using eleventh = await connect(replica.url, token);
    expect(await eleventh.closed).toEqual({ code: 4429, reason: "TOO_MANY_REQUESTS" });
    const other = await signIn(database, "client");
    await using _other = await follow(replica.url, other.token);
    const metrics = await replica.app.metrics.registry.getSingleMetricAsString("console_sockets");
    expect(metrics).toMatch(/^console_sockets 11$/m);
  });
});

describe("a session that ends", () => {
  it("closes its sockets within a second, and nothing is delivered after the answer", async () => {
    const { token } = await signIn(database, "super_admin");
    await using watching = await follow(replica.url, token);
    await using acting = await connect(replica.url, token);
    acting.send({ id: 5, method: "mutation", params: { path: "auth.logout" } });
    await acting.until(({ messages }) => messages.some(({ id }) => id === 5));
    const started = performance.now();
    expect(acting.messages[0]?.result?.type).toBe("data");
    await replica.append(progress(1), settingsChanged(true));
    expect(await watching.closed).toEqual({ code: 4401, reason: "UNAUTHENTICATED" });
    expect(await acting.closed).toEqual({ code: 4401, reason: "UNAUTHENTICATED" });
    expect(performance.now() - started).toBeLessThan(1_000);
    expect(watching.events.map(({ event }) => event.type)).toEqual(["stream.ready"]);
    expect(watching.messages.filter(({ error }) => error?.data.code === "UNAUTHENTICATED")).toHaveLength(1);
  });

  it("answers a new token over the socket whose old token that ends", async () => {
    const { token } = await signIn(database, "client");
    await using client = await connect(replica.url, token);
    client.send({ id: 5, method: "mutation", params: { path: "auth.refresh" } });
    await client.closed;
    expect(client.messages[0]?.result?.data).toMatchObject({ token: expect.stringMatching(/^[\w-]{43}$/) });
  });

  it("leaves the user's other sessions alone", async () => {
    const user = await signIn(database, "super_admin");
    const second = await openSession(database, user.userId);
    await using kept = await follow(replica.url, second.token);
    await using ended = await follow(replica.url, user.token);
    await database.query("delete from sessions where id = $1", [user.sessionId]);
    replica.app.notices.emit("sessions.ended", { userId: user.userId, exceptSessionId: second.sessionId });
    await ended.closed;
    await replica.append(progress(1));
    await kept.until(() => seen(kept).length === 1);
  });

  it.each([
    ["signed out", "delete from sessions where id = $1"],
    ["expired", "update sessions set expires_at = 1 where id = $1"],
    ["disabled", "update users set is_active = false where id = (select user_id from sessions where id = $1)"],
    ["deleted", "delete from users where id = (select user_id from sessions where id = $1)"],
  ])("on another replica (%s) closes within 5 s and gets no event meanwhile", async (_how, sql) => {
    const { token, sessionId } = await signIn(database, "super_admin");
    await using client = await follow(replica.url, token);
    await using idle = await connect(replica.url, token);
    await database.query(sql, [sessionId]);
    const started = performance.now();
    await replica.append(progress(1));
    expect((await client.closed).code).toBe(4401);
    expect((await idle.closed).code).toBe(4401);
    expect(performance.now() - started).toBeLessThan(5_000);
    expect(seen(client)).toEqual([]);
  });
});

describe("who sees what", () => {
  it("is decided at delivery, replay included", async () => {
    const admin = await signIn(database, "admin");
    const otherAdmin = await signIn(database, "admin");
    const client = await signIn(database, "client", admin.userId);
    const stranger = await signIn(database, "client");
    const root = await signIn(database, "super_admin");
    const told = async ({ token }: { token: string }, lastEventId: string | undefined) => {
      await using stream = await follow(replica.url, token, lastEventId);
      expect(stream.events[0]?.event.data).toEqual({ resumed: true });
      await stream.until(({ events }) => events.at(-1)?.event.type === "settings.changed");
      return stream.events.slice(1, -1).map(({ event }) => event.type);
    };
    await using before = await follow(replica.url, root.token);
    const start = before.events[0]?.id;
    const hostId = await insertHost();
    await replica.append(
      progress(1),
      { type: "assignment.changed", data: { hostId, userId: client.userId } },
      settingsChanged(true),
    );
    expect(await told(root, start)).toEqual(["sync.progress", "assignment.changed"]);
    expect(await told(admin, start)).toEqual(["assignment.changed"]);
    expect(await told(client, start)).toEqual(["assignment.changed"]);
    expect(await told(otherAdmin, start)).toEqual([]);
    expect(await told(stranger, start)).toEqual([]);

    await database.query("update users set admin_id = $1 where id = $2", [otherAdmin.userId, client.userId]);
    expect(await told(admin, start)).toEqual([]);
    expect(await told(otherAdmin, start)).toEqual(["assignment.changed"]);
  });

  it("follows a change of role on an open stream", async () => {
    const { token, userId } = await signIn(database, "super_admin");
    await using client = await follow(replica.url, token);
    await replica.append(progress(1));
    await client.until(() => seen(client).length === 1);
    await database.query("update users set role = 'admin' where id = $1", [userId]);
    await replica.append(progress(2), settingsChanged(false));
    await client.until(({ events }) => events.at(-1)?.event.type === "settings.changed");
    expect(seen(client)).toEqual([1]);
  });
});

describe("bounds", () => {
  it("cuts a frame of more than 64 KiB and takes one of nearly that", async () => {
    const { token } = await signIn(database, "client");
    await using fits = await connect(replica.url, token);
    fits.send({ id: 1, method: "query", params: { path: "settings.get", padding: "x".repeat(65_000) } });
    await fits.until(({ messages }) => messages[0]?.result?.type === "data");
    await using large = await connect(replica.url, token);
    large.send({ id: 1, method: "query", params: { path: "settings.get", padding: "x".repeat(66_000) } });
    expect((await large.closed).code).toBe(1009);
  });

  it("allows 120 messages a minute, however they are packed", async () => {
    const { token } = await signIn(database, "client");
    const call = (id: number) => ({ id, method: "query", params: { path: "settings.get" } });
    await using single = await connect(replica.url, token);
    for (let id = 1; id < 120; id++) single.send(call(id));
    await single.until(({ messages }) => messages.length === 119);
    single.send(call(120));
    expect(await single.closed).toEqual({ code: 4429, reason: "TOO_MANY_REQUESTS" });

    await using packed = await connect(replica.url, token);
    for (let n = 0; n < 6; n++) packed.send(Array.from({ length: 20 }, (_, id) => call(n * 20 + id)));
    expect((await packed.closed).code).toBe(4429);

    await using pinging = await connect(replica.url, token);
    for (let n = 0; n < 120; n++) {
      pinging.socket.ping();
      if (n % 20 === 0) await new Promise((resolve) => pinging.socket.once("pong", resolve));
    }
    expect((await pinging.closed).code).toBe(4429);
  });

  it("takes no more pongs that nobody asked for than messages, and counts them by themselves", async () => {
    const { token } = await signIn(database, "client");
    await using ponging = await connect(replica.url, token);
    for (let n = 0; n < 119; n++) ponging.socket.pong();
    ponging.send({ id: 1, method: "query", params: { path: "settings.get" } });
    await ponging.until(({ messages }) => messages[0]?.result?.type === "data");
    for (let n = 0; n < 2; n++) ponging.socket.pong();
    expect((await ponging.closed).code).toBe(4429);
  });

  it("counts one that floods and does not even answer the closing", async () => {
    const { token } = await signIn(database, "client");
    await using client = await connect(replica.url, token);
    client.socket.pause();
    for (let n = 0; n <= 120; n++) client.send({ id: n, method: "query", params: { path: "settings.get" } });
    const limited = () => replica.app.metrics.registry.getSingleMetricAsString("console_limited_total");
    await expect.poll(limited, { timeout: 10_000 }).toMatch(/^console_limited_total\{surface="socket"\} 1$/m);
    client.socket.resume();
    await client.closed;
    expect(await limited()).toMatch(/^console_limited_total\{surface="socket"\} 1$/m);
  });

  it("survives frames that are no calls", async () => {
    const { token } = await signIn(database, "client");
    await using client = await connect(replica.url, token);
    for (const frame of ["", "{", "[]", "null", "[".repeat(30_000), '{"id":1}', '{"id":{},"method":"query"}', "PING"]) {
      client.socket.send(frame);
    }
    client.socket.send(Buffer.from([0xff, 0xfe]));
    client.send({ id: 9, method: "query", params: { path: "settings.get" } });
    client.send({ id: 10, method: "query", params: { path: "no.such" } });
    client.send({ id: 11, method: "query", params: { path: "settings.get", input: "[".repeat(100) } });
    await client.until(({ messages }) => messages.some(({ id, result }) => id === 9 && result !== undefined));
    await client.until(({ messages }) =>
      messages.some(({ id, error }) => id === 10 && error?.data.code === "NOT_FOUND"),
    );
    expect(client.socket.readyState).toBe(WebSocket.OPEN);
    const ids = client.messages.flatMap(({ error }) => (error === undefined ? [] : [error.data.requestId]));
    expect(ids.length).toBeGreaterThan(5);
    expect(new Set(ids).size).toBe(1);
    expect(ids[0]).toMatch(REQUEST_ID);
  });

  it("cuts a reader that stalls and lets it resume, while others go on", async () => {
    const { token } = await signIn(database, "super_admin");
    await using healthy = await follow(replica.url, token);
    await using stalled = await follow(replica.url, token);
    const start = stalled.events[0]?.id;
    stalled.socket.pause();
    const wide = progress(0);
    const text = "很长".repeat(1_000);
    const openSockets = () => replica.app.metrics.registry.getSingleMetricAsString("console_sockets");
    let sent = 0;
    // How much the system takes before the server's own buffer grows differs from machine to machine.
    while (!/^console_sockets 1$/m.test(await openSockets())) {
      expect(sent).toBeLessThan(4_000);
      const events = Array.from({ length: 100 }, () => ({ ...wide, data: { ...wide.data, configName: text } }));
      await database.query(
        `insert into events (type, payload, created_at)
         select 'sync.progress', value, 1 from jsonb_array_elements($1::jsonb)`,
        [JSON.stringify(events.map((event) => event.data))],
      );
      sent += events.length;
      replica.app.notices.emit("events.appended");
      await healthy.until(() => seen(healthy).length >= sent, 10_000);
    }
    stalled.socket.resume();
    await stalled.closed;
    // The rest had never been handed to the system.
    expect(seen(stalled).length).toBeLessThan(sent);
    const lastSeen = stalled.events.at(-1)?.id ?? start;
    const missing = sent - seen(stalled).length;
    await using resumed = await follow(replica.url, token, lastSeen);
    await resumed.until(() => seen(resumed).length >= missing, 15_000);
    expect(resumed.events[0]?.event.data).toEqual({ resumed: true });
    expect(seen(resumed).length).toBe(missing);
  }, 60_000);
});

describe("a server that stops", () => {
  it("answers calls under way, says so, and takes nobody any more", async () => {
    const { token } = await signIn(database, "client");
    await using streaming = await follow(replica.url, token);
    await using silent = await connect(replica.url, null);
    await using calling = await connect(replica.url, token);
    calling.send({ id: 1, method: "query", params: { path: "settings.get" } });
    calling.send({ id: 2, method: "query", params: { path: "settings.get" } });
    await calling.until(({ messages }) => messages.length > 0);
    await replica.webSockets.drain();
    for (const client of [streaming, silent, calling]) {
      expect(await client.closed).toEqual({ code: 1012, reason: "UNAVAILABLE" });
      expect(client.messages.at(-1)).toEqual({ id: null, method: "reconnect" });
    }
    expect(calling.messages.filter(({ result }) => result?.type === "data")).toHaveLength(2);
    const late = await upgrade("/trpc");
    expect([late.status, JSON.parse(late.body).code]).toEqual([503, "UNAVAILABLE"]);
  });
});

describe("with the ordinary client", () => {
  it("streams typed events, and comes back by itself to another replica when this one stops", async () => {
    await using other = await startReplica(database);
    const { token } = await signIn(database, "super_admin");
    let url = replica.url;
    const socket = createWSClient({ url: () => url, connectionParams: { token }, retryDelayMs: () => 20 });
    const client = createTRPCClient<typeof streamRouter>({ links: [wsLink({ client: socket })] });
    const received: string[] = [];
    const numbers: number[] = [];
    const subscription = client.events.stream.subscribe(undefined, {
      onData({ data }) {
        received.push(data.type === "stream.ready" ? `ready ${data.data.resumed}` : data.type);
        if (data.type === "sync.progress") numbers.push(data.data.hostsSeen);
      },
    });
    const until = async (isDone: () => boolean) => {
      for (let tries = 0; !isDone(); tries++) {
        if (tries > 500) throw new Error(`waited in vain: ${received}`);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    };
    await until(() => received.length === 1);
    await replica.append(progress(1));
    await until(() => numbers.length === 1);
    url = other.url;
    await replica.webSockets.drain();
    await other.append(progress(2));
    await until(() => numbers.length === 2);
    expect(received).toEqual(["ready false", "sync.progress", "ready true", "sync.progress"]);
    expect(numbers).toEqual([1, 2]);
    expect(await client.settings.get.query()).toEqual({ show_network_info_to_client: false });
    subscription.unsubscribe();
    await socket.close();
  });
});

function upgrade(path: string, headers: Record<string, string | undefined> = {}) {
  return new Promise<{ status: number; headers: IncomingHttpHeaders; body: string }>((resolve, reject) => {
    const given = Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
    const handshake = request({
      host: "127.0.0.1",
      port: replica.port,
      path,
      headers: {
        connection: "Upgrade",
        upgrade: "websocket",
        "sec-websocket-version": "13",
        "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
        ...Object.fromEntries(given),
      },
    });
    handshake.on("upgrade", (response, socket) => {
      socket.destroy();
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: "" });
    });
    handshake.on("response", async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      const body = Buffer.concat(chunks).toString();
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
    });
    handshake.on("error", reject);
    handshake.end();
  });
}

async function insertHost(): Promise<string> {
  const [row] = await database.query(
    `insert into hosts (id, ucloud_id, region, zone, name, cpu, memory, disk, os_name, os_type, status, provider_status, charge_type, ip_set, changed_at)
     values (gen_random_uuid(), 'uhost-1', 'cn-bj2', 'cn-bj2-02', '主机', 1, 1024, 20, '', '', 'Running', 'Running', 'Month', '[]', 1)
     returning id`,
  );
  return String(row?.id);
}
