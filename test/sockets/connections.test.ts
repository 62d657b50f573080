import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { WebSocket } from "ws";
import { useApp } from "../harness/app.ts";
import { movableClock } from "../harness/clocks.ts";
import { append, progress } from "../harness/events.ts";
import { useLogLines } from "../harness/log-lines.ts";
import {
  connect,
  follow,
  handshake,
  progressNumbers,
  socketUrl,
  upgrade,
} from "../harness/raw-client.ts";
import { openConnection } from "../harness/raw-requests.ts";
import { scrape } from "../harness/scrape.ts";
import { startApp } from "../harness/start-app.ts";

// The sweep over the sockets, once a second, runs only when a test moves its timer.
beforeAll(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }));
afterAll(() => void vi.useRealTimers());
const app = useApp({
  config: { publicOrigins: ["https://console.example"], metricsToken: "token" },
});
const TOO_MANY = { code: 4429, reason: "TOO_MANY_REQUESTS" };

const settingsCall = (id: number, more = {}) => ({
  id,
  method: "query",
  params: { path: "settings.get", ...more },
});
const openSocket = async () => connect(app.url, (await app.account("client")).token);
const streams = async () => (await scrape(app.url, "token")).value("console_event_streams") ?? 0;
const refusalsIn = (lines: readonly string[]) =>
  lines
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => msg.startsWith("live connection refused"));
const untilStreams = (count: number) => expect.poll(streams).toBe(count);

describe("the WebSocket handshake", () => {
  it.each([
    ["a foreign page", { origin: "https://evil.example" }, 403],
    ["a sandboxed page", { origin: "null" }, 403],
    [
      "a page whose origin begins like a listed one",
      { origin: "https://console.example.evil.example" },
      403,
    ],
    ["another port of the same host", { origin: "http://127.0.0.1:1" }, 403],
    ["its own name without the port", { origin: "https://a.example:8443", host: "a.example" }, 403],
    ["a listed origin", { origin: "https://console.example" }, 101],
    ["no browser", {}, 101],
    ["its own origin", { origin: "http://a.example", host: "a.example" }, 101],
    [
      "its own origin behind a proxy that ends TLS",
      { origin: "https://a.example", host: "a.example" },
      101,
    ],
    ["its own origin with a port", { origin: "https://a.example", host: "a.example:443" }, 101],
    ["a malformed handshake", { "sec-websocket-key": "short" }, 400],
  ] as const)("accepts allowed origins only: %s", async (_who, headers, status) => {
    expect((await upgrade(app.url, "/trpc", headers)).status).toBe(status);
  });

  it.each([
    ["its own name without the port", "https://a.example:8443", "a.example", 101],
    ["its own address without the port", "http://[2001:db8::1]:8443", "[2001:db8::1]", 101],
    ["another port of its own name", "https://a.example:8443", "a.example:9443", 403],
    ["another name", "https://b.example:8443", "a.example", 403],
  ])("accepts from a trusted proxy %s", async (_what, origin, host, status) => {
    await using proxied = await startApp(app.database.connection, { config: { trustProxy: 1 } });

    const answer = await upgrade(proxied.url, "/trpc", { origin, host });

    expect(answer.status).toBe(status);
  });

  it("warns of each page it refuses once an hour, with both values, of twenty at most", async () => {
    const { lines, log } = useLogLines();
    const clock = movableClock();
    await using logging = await startApp(app.database.connection, { overrides: { log, clock } });
    const refused = (port: number) =>
      upgrade(logging.url, "/trpc", { origin: `https://a.example:${port}`, host: "a.example" });

    for (const port of [8443, 8443, ...Array.from({ length: 30 }, (_, n) => n + 1)]) {
      await refused(port);
    }

    const warnings = refusalsIn(lines);
    expect(warnings).toHaveLength(20);
    expect(warnings[0]).toMatchObject({
      level: 40,
      origin: "https://a.example:8443",
      host: "a.example",
    });
    expect(warnings[1]).toMatchObject({ origin: "https://a.example:1" });

    clock.forward(3_600);
    await refused(8443);

    expect(refusalsIn(lines)).toHaveLength(21);
  });

  it("rejects every other path with a plain 404", async () => {
    for (const path of [
      "/",
      "/trpc/",
      "/TRPC",
      "//trpc",
      "/trpc%2f",
      "/api/hosts",
      "/trpc/../trpc",
    ]) {
      expect([path, await upgrade(app.url, path)]).toEqual([path, { status: 404, body: "" }]);
    }
  });

  it("rejects an address with 50 unauthenticated sockets until one of them signs in", async () => {
    const { token } = await app.account("client");
    const waiting = Array.from(
      { length: 50 },
      () => new WebSocket(`${socketUrl(app.url)}?connectionParams=1`),
    );
    await Promise.all(waiting.map((socket) => once(socket, "open")));
    expect((await upgrade(app.url)).status).toBe(429);
    waiting[0]?.send(JSON.stringify({ method: "connectionParams", data: { token } }));
    await expect.poll(async () => (await upgrade(app.url)).status).toBe(101);
    for (const socket of waiting) socket.terminate();
  });

  it("warns once an hour of an address with too many connections", async () => {
    const { lines, log } = useLogLines();
    const clock = movableClock();
    await using logging = await startApp(app.database.connection, { overrides: { log, clock } });
    const url = `${socketUrl(logging.url)}?connectionParams=1`;
    const waiting = Array.from({ length: 50 }, () => new WebSocket(url));
    await Promise.all(waiting.map((socket) => once(socket, "open")));

    for (const _ of [1, 2, 3]) await upgrade(logging.url);

    expect(refusalsIn(lines)).toMatchObject([{ level: 40, network: "127.0.0.1" }]);

    clock.forward(3_600);
    await upgrade(logging.url);

    expect(refusalsIn(lines)).toHaveLength(2);
    for (const socket of waiting) socket.terminate();
  });
});

describe("a socket behind a trusted proxy", () => {
  const app = useApp({ config: { trustProxy: 1 } });

  it("has the address that the proxy names", async () => {
    await using client = await connect(app.url, app.root.token, {
      "x-forwarded-for": "203.0.113.9",
    });
    client.send({ id: 5, method: "mutation", params: { path: "auth.refresh" } });
    const addresses = () => app.database.query("select ip from sessions");

    await expect.poll(addresses).toEqual([{ ip: "203.0.113.9" }]);
  });
});

it("a server that shuts down answers running calls and accepts no new sockets", async () => {
  const { token } = await app.account("client");
  await using server = await startApp(app.database.connection);
  await using streaming = await follow(server.url, token);
  await using silent = await connect(server.url, null);
  await using calling = await connect(server.url, token);
  using late = await openConnection(server.url);
  const request = handshake(server.url);
  late.write(request.slice(0, 40));
  for (const id of [1, 2]) calling.send(settingsCall(id));
  await calling.until(({ messages }) => messages.length > 0);
  const stopped = server[Symbol.asyncDispose]();
  late.write(request.slice(40));
  expect(await late.answered).toMatch(/^HTTP\/1\.1 503 /);
  await stopped;
  for (const client of [streaming, silent, calling]) {
    expect(await client.closed).toEqual({ code: 1012, reason: "UNAVAILABLE" });
    expect(client.messages.at(-1)).toEqual({ id: null, method: "reconnect" });
  }
  expect(calling.messages.filter(({ result }) => result?.type === "data")).toHaveLength(2);
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

  it("survives frames that are not calls", async () => {
    await using client = await openSocket();
    for (const frame of [
      "",
      "{",
      "[]",
      "null",
      "[".repeat(30_000),
      '{"id":1}',
      '{"id":{},"method":"query"}',
      "PING",
    ]) {
      client.socket.send(frame);
    }
    client.socket.send(Buffer.from([0xff, 0xfe]));
    client.send(settingsCall(9));
    client.send(settingsCall(10, { path: "no.such" }));
    await client.until(({ messages }) =>
      messages.some(({ id, result }) => id === 9 && result !== undefined),
    );
    await client.until(({ messages }) =>
      messages.some(({ error }) => error?.data.code === "NOT_FOUND"),
    );
    expect(client.socket.readyState).toBe(WebSocket.OPEN);
    const ids = client.messages.flatMap(({ error }) =>
      error === undefined ? [] : [error.data.requestId],
    );
    expect(ids.length).toBeGreaterThan(5);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("allows a user 10 sockets and closes the 11th with the reason", async () => {
    const { token } = await app.account("client");
    await using open = new AsyncDisposableStack();
    for (let n = 0; n < 10; n++) open.use(await follow(app.url, token));
    await using eleventh = await connect(app.url, token);
    expect(await eleventh.closed).toEqual(TOO_MANY);
    const other = await app.account("client");
    await using _other = await follow(app.url, other.token);
    await untilStreams(11);
  });
});

it("a slow consumer is closed and can resume, while other sockets continue", {
  timeout: 60_000,
}, async () => {
  const { token } = await app.account("super_admin");
  await using healthy = await follow(app.url, token);
  await using stalled = await follow(app.url, token);
  const start = stalled.events[0]?.id;
  stalled.socket.pause();
  // 60 kB, so that 240 fill 14 MB: the server keeps 1 MB, the system's socket buffers hold a few
  // more.
  const wide = { ...progress(0), data: { ...progress(0).data, configName: "很长".repeat(10_000) } };
  let sent = 0;
  for (let isCut = false; !isCut; sent += 20) {
    expect(sent, "events before the slow consumer is cut").toBeLessThan(240);
    await append(app, ...Array(20).fill(wide));
    await healthy.until(() => progressNumbers(healthy).length === sent + 20, 10_000);
    isCut = (await streams()) === 1;
  }
  stalled.socket.resume();
  await stalled.closed;
  const missing = sent - progressNumbers(stalled).length;
  expect(missing).toBeGreaterThan(0);
  await using resumed = await follow(app.url, token, stalled.events.at(-1)?.id ?? start);
  await resumed.until(() => progressNumbers(resumed).length >= missing, 15_000);
  expect(resumed.events[0]?.event.data).toEqual({ resumed: true });
  expect(progressNumbers(resumed).length).toBe(missing);
});

it("a socket is pinged after 25 s without frames, and terminated after 40 s", async () => {
  const { token } = await app.account("client");
  await using client = await follow(app.url, token);
  await untilStreams(1);
  // In all more frames than a minute may have.
  for (let round = 0; round < 130; round++) {
    const pinged = once(client.socket, "ping");
    vi.advanceTimersByTime(25_000);
    await pinged;
    // The answer arrives before that of a later call.
    expect((await app.anonymous.get("/healthz")).status).toBe(200);
  }
  client.socket.pause();
  vi.advanceTimersByTime(39_000);
  expect(await streams()).toBe(1);
  vi.advanceTimersByTime(1_000);
  await untilStreams(0);
});
