import { once } from "node:events";
import { createServer } from "node:http";
import { describe, expect, it } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { createLocalBus } from "../../src/server/core/local-bus.ts";
import { SocketWatch } from "../../src/server/transport/socket-watch.ts";
import { useApp } from "../harness/app.ts";
import { portOf } from "../harness/ports.ts";
import { connect, follow, type RawClient, seen, upgrade } from "./raw-client.ts";
import { progress, signIn, useReplica } from "./replica.ts";

const replica = useReplica({ publicOrigins: ["https://console.example"] });
const TOO_MANY = { code: 4429, reason: "TOO_MANY_REQUESTS" };
const metric = (name: string) => replica.app.metrics.registry.getSingleMetricAsString(name);

const settingsCall = (id: number, more: object = {}) => ({
  id,
  method: "query",
  params: { path: "settings.get", ...more },
});

async function openSocket(): Promise<RawClient> {
  return await connect(replica.url, (await signIn(replica.database, "client")).token);
}

describe("the WebSocket handshake", () => {
  it.each([
    ["a foreign page", { origin: "https://evil.example" }, 403],
    ["a sandboxed page", { origin: "null" }, 403],
    ["a page whose origin begins like a listed one", { origin: "https://console.example.evil.example" }, 403],
    ["another port of the same host", { origin: "http://127.0.0.1:1" }, 403],
    ["a listed origin", { origin: "https://console.example" }, 101],
    ["no browser", {}, 101],
    ["its own origin", { origin: "http://a.example", host: "a.example" }, 101],
    ["its own origin behind a proxy that ends TLS", { origin: "https://a.example", host: "a.example" }, 101],
    ["its own origin with a port", { origin: "https://a.example", host: "a.example:443" }, 101],
    ["a malformed handshake", { "sec-websocket-key": "short" }, 400],
  ] as const)("accepts allowed origins only: %s", async (_who, headers, status) => {
    expect((await upgrade(replica.port, "/trpc", headers)).status).toBe(status);
  });

  it("rejects every other path with a plain 404", async () => {
    for (const path of ["/", "/trpc/", "/TRPC", "//trpc", "/trpc%2f", "/api/hosts", "/trpc/../trpc"]) {
      expect([path, await upgrade(replica.port, path)]).toEqual([path, { status: 404, body: "" }]);
    }
  });

  it("rejects an address with 50 unauthenticated sockets until one of them signs in", async () => {
    const { token } = await signIn(replica.database, "client");
    const waiting = Array.from({ length: 50 }, () => new WebSocket(`${replica.url}?connectionParams=1`));
    await Promise.all(waiting.map((socket) => once(socket, "open")));
    expect((await upgrade(replica.port, "/trpc")).status).toBe(429);
    waiting[0]?.send(JSON.stringify({ method: "connectionParams", data: { token } }));
    await expect.poll(async () => (await upgrade(replica.port, "/trpc")).status).toBe(101);
    for (const socket of waiting) socket.terminate();
  });
});

describe("a socket behind a trusted proxy", () => {
  const app = useApp({ config: { trustProxy: 1 } });

  it("has the address that the proxy names", async () => {
    const url = `${app.url.replace("http", "ws")}/trpc`;
    await using client = await connect(url, app.root.token ?? "", { "x-forwarded-for": "203.0.113.9" });
    client.send({ id: 5, method: "mutation", params: { path: "auth.refresh" } });
    const addresses = () => app.database.query("select ip from sessions");
    await expect.poll(addresses, { timeout: 10_000 }).toEqual([{ ip: "203.0.113.9" }]);
  });
});

it("a server that shuts down answers running calls, announces the restart, and accepts no new sockets", async () => {
  const { token } = await signIn(replica.database, "client");
  await using streaming = await follow(replica.url, token);
  await using silent = await connect(replica.url, null);
  await using calling = await connect(replica.url, token);
  for (const id of [1, 2]) calling.send(settingsCall(id));
  await calling.until(({ messages }) => messages.length > 0);
  await replica.webSockets.drain();
  for (const client of [streaming, silent, calling]) {
    expect(await client.closed).toEqual({ code: 1012, reason: "UNAVAILABLE" });
    expect(client.messages.at(-1)).toEqual({ id: null, method: "reconnect" });
  }
  expect(calling.messages.filter(({ result }) => result?.type === "data")).toHaveLength(2);
  expect((await upgrade(replica.port, "/trpc")).status).toBe(503);
});

describe("socket limits", () => {
  it("closes a socket for a frame over 64 KiB and accepts one just below", async () => {
    await using client = await openSocket();
    client.send(settingsCall(1, { padding: "x".repeat(65_000) }));
    await client.until(({ messages }) => messages[0]?.result?.type === "data");
    client.send(settingsCall(2, { padding: "x".repeat(66_000) }));
    expect((await client.closed).code).toBe(1009);
  });

  it("allows 20 calls per frame", async () => {
    await using client = await openSocket();
    // A small compressed frame could become a large one.
    expect(client.socket.extensions).toBe("");
    const calls = (count: number) => Array.from({ length: count }, (_, id) => settingsCall(id));
    client.send(calls(20));
    await client.until(({ messages }) => messages.length === 20);
    client.send(calls(21));
    expect(await client.closed).toEqual(TOO_MANY);
  });

  it("allows 120 frames a minute, including pings and pongs", async () => {
    await using client = await openSocket();
    // One frame carried the token.
    for (let id = 1; id < 100; id++) client.send(settingsCall(id));
    for (let n = 0; n < 20; n++) client.socket.pong();
    await client.until(({ messages }) => messages.length === 99);
    client.socket.ping();
    expect(await client.closed).toEqual(TOO_MANY);
  });

  it("counts a flooding socket that does not answer the close frame once", async () => {
    await using client = await openSocket();
    client.socket.pause();
    for (let id = 0; id <= 120; id++) client.send(settingsCall(id));
    const limited = () => metric("console_limited_total");
    await expect.poll(limited, { timeout: 10_000 }).toMatch(/^console_limited_total\{surface="socket"\} 1$/m);
    client.socket.resume();
    await client.closed;
    expect(await limited()).toMatch(/^console_limited_total\{surface="socket"\} 1$/m);
  });

  it("survives frames that are not calls", async () => {
    await using client = await openSocket();
    for (const frame of ["", "{", "[]", "null", "[".repeat(30_000), '{"id":1}', '{"id":{},"method":"query"}', "PING"]) {
      client.socket.send(frame);
    }
    client.socket.send(Buffer.from([0xff, 0xfe]));
    client.send(settingsCall(9));
    client.send(settingsCall(10, { path: "no.such" }));
    await client.until(({ messages }) => messages.some(({ id, result }) => id === 9 && result !== undefined));
    await client.until(({ messages }) => messages.some(({ error }) => error?.data.code === "NOT_FOUND"));
    expect(client.socket.readyState).toBe(WebSocket.OPEN);
    const ids = client.messages.flatMap(({ error }) => (error === undefined ? [] : [error.data.requestId]));
    expect(ids.length).toBeGreaterThan(5);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("allows a user 10 sockets and closes the 11th with the reason", async () => {
    const { token } = await signIn(replica.database, "client");
    await using open = new AsyncDisposableStack();
    for (let n = 0; n < 10; n++) open.use(await follow(replica.url, token));
    await using eleventh = await connect(replica.url, token);
    expect(await eleventh.closed).toEqual(TOO_MANY);
    const other = await signIn(replica.database, "client");
    await using _other = await follow(replica.url, other.token);
    expect(await metric("console_event_streams")).toMatch(/^console_event_streams 11$/m);
  });
});

it("a slow consumer is closed and can resume, while other sockets continue", { timeout: 60_000 }, async () => {
  const { token } = await signIn(replica.database, "super_admin");
  await using healthy = await follow(replica.url, token);
  await using stalled = await follow(replica.url, token);
  const start = stalled.events[0]?.id;
  stalled.socket.pause();
  // 60 kB, so that 240 fill 14 MB: the server keeps 1 MB, the system's socket buffers hold a few more.
  const wide = { ...progress(0).data, configName: "很长".repeat(10_000) };
  let sent = 0;
  for (let isCut = false; !isCut; sent += 20) {
    expect(sent, "events before the slow consumer is cut").toBeLessThan(240);
    await replica.database.query(
      `insert into events (type, payload, created_at) select 'sync.progress', $1::jsonb, 1 from generate_series(1, 20)`,
      [JSON.stringify(wide)],
    );
    replica.app.bus.emit("events.appended");
    await healthy.until(() => seen(healthy).length === sent + 20, 10_000);
    isCut = /^console_event_streams 1$/m.test(await metric("console_event_streams"));
  }
  stalled.socket.resume();
  await stalled.closed;
  const missing = sent - seen(stalled).length;
  expect(missing).toBeGreaterThan(0);
  await using resumed = await follow(replica.url, token, stalled.events.at(-1)?.id ?? start);
  await resumed.until(() => seen(resumed).length >= missing, 15_000);
  expect(resumed.events[0]?.event.data).toEqual({ resumed: true });
  expect(seen(resumed).length).toBe(missing);
});

it("the sweep pings a socket after 25 s without frames, keeps it when it answers, and terminates it after 40 s", async () => {
  await using pair = await openPair();
  using watch = new SocketWatch({ ...replica.app, bus: createLocalBus() });
  const sweep = (seconds: number) => {
    for (let second = 0; second < seconds; second++) watch.sweep();
  };
  const caller = {
    id: "1",
    sessionId: "1",
    username: "a",
    name: "a",
    role: "client",
    mustChangePassword: false,
  } as const;
  watch.signIn(watch.add(pair.near, "127.0.0.1"), caller);
  // In all more frames than a minute may have.
  for (let round = 0; round < 130; round++) {
    const answered = once(pair.near, "pong");
    sweep(25);
    await answered;
  }
  pair.far.pause();
  sweep(39);
  expect(pair.near.readyState).toBe(WebSocket.OPEN);
  sweep(1);
  await once(pair.near, "close");
});

async function openPair() {
  const http = createServer().listen(0, "127.0.0.1");
  await once(http, "listening");
  const server = new WebSocketServer({ server: http });
  const far = new WebSocket(`ws://127.0.0.1:${portOf(http)}`);
  const [[near]] = await Promise.all([once(server, "connection"), once(far, "open")]);
  if (!(near instanceof WebSocket)) throw new Error("no socket");
  return {
    near,
    far,
    async [Symbol.asyncDispose]() {
      far.terminate();
      near.terminate();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}
