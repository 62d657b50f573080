import { connect, type Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { REQUEST_LIMITS } from "../../src/server/transport/http-server.ts";
import { useApp } from "../harness/app.ts";
import { scrape } from "../harness/scrape.ts";
import { openConnection, statuses } from "./requests.ts";

const POST = "POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";

describe("request deadlines", () => {
  const TOKEN = "token-of-the-metrics";
  /** Milliseconds; far below the default deadlines of 15 and 60 s. */
  const LIMITS = { headersTimeout: 400, requestTimeout: 800, connectionsCheckingInterval: 50 };
  const CLOSED_WITHIN_MS = 5_000;
  const HALF_SENT = [
    ["nothing at all", ""],
    ["half of its headers", "GET /healthz HTTP/1.1\r\nX-Slow: "],
    ["half of a REST body", `${POST}Content-Length: 500\r\n\r\n{"user`],
    ["half of a tRPC body", `${POST.replace("/api/auth/login", "/trpc/auth.login")}Content-Length: 500\r\n\r\n{"user`],
    ["half of a chunked body", `${POST}Transfer-Encoding: chunked\r\n\r\n20\r\n{"user`],
  ] as const;
  const app = useApp({ config: { metricsToken: TOKEN }, overrides: { requestLimits: LIMITS } });
  const limited = async () => (await scrape(app.url, TOKEN)).value("console_limited_total", { surface: "http" }) ?? 0;

  it.each(HALF_SENT)(
    "a request that is not complete in time gets 408 in JSON and its connection is closed: %s",
    async (_what, text) => {
      const began = performance.now();
      const before = await limited();
      using connections = new DisposableStack();
      const opened = await Promise.all(Array.from({ length: 20 }, () => openConnection(app.url)));
      for (const connection of opened) connections.use(connection).write(text);
      await Promise.all(opened.map(({ closed }) => closed));
      expect(performance.now() - began).toBeLessThan(CLOSED_WITHIN_MS);
      for (const connection of opened) {
        expect(statuses(connection.received())).toEqual([408]);
        expect(connection.received()).toMatch(/^Connection: close\r$/m);
        expect(connection.received()).toMatch(/\{"message":"请求未在规定时间内发送完毕","code":"INVALID_INPUT"\}$/);
      }
      expect((await limited()) - before).toBe(20);
    },
  );

  it("are 15 s for headers and 60 s for the request, checked every 5 s", () => {
    const limits = { headersTimeout: 15_000, requestTimeout: 60_000, connectionsCheckingInterval: 5_000 };
    expect(REQUEST_LIMITS).toMatchObject(limits);
  });

  it("a request is cut off at its deadline even if bytes keep arriving and the client never closes its side", async () => {
    const { hostname, port } = new URL(app.url);
    const began = performance.now();
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    socket.on("error", () => undefined);
    socket.resume();
    socket.write(`${POST}Content-Length: 500\r\n\r\n{"user`);
    const dripping = setInterval(() => socket.write("a"), 20);
    await new Promise((resolve) => socket.once("close", resolve));
    clearInterval(dripping);
    expect(performance.now() - began).toBeLessThan(CLOSED_WITHIN_MS);
  });

  it("a request that was rejected before its body arrived gets no second answer", async () => {
    using connection = await openConnection(app.url);
    connection.write(`${POST.replace("/api/auth/login", "/api/users")}Content-Length: 500\r\n\r\n{"user`);
    await connection.closed;
    expect(statuses(connection.received())).toEqual([401]);
  });
});

// Only Linux has more loopback addresses.
describe.runIf(process.platform === "linux")("connection limits", () => {
  const PER_ADDRESS = 8;
  const limits = { total: 20, perAddress: PER_ADDRESS };
  const direct = useApp({ config: { connectionLimits: limits } });
  const named = useApp({ config: { connectionLimits: limits, trustProxy: ["127.0.0.2"] } });
  const counted = useApp({ config: { connectionLimits: limits, trustProxy: 1 } });

  it("closes connections beyond the limit of an address, serves other addresses, and frees the slots on close", async () => {
    {
      await using first = await openMany(direct.url, "127.0.0.2", PER_ADDRESS + 5);
      await using second = await openMany(direct.url, "127.0.0.3", 3);
      expect([first.accepted, second.accepted]).toEqual([PER_ADDRESS, 3]);
      expect(await open(direct.url, "127.0.0.2")).toBeNull();
    }
    const accepted = async () => {
      await using again = await openMany(direct.url, "127.0.0.2", PER_ADDRESS);
      return again.accepted;
    };
    await expect.poll(accepted).toBe(PER_ADDRESS);
  });

  it("closes connections beyond the limit of the process", async () => {
    await using first = await openMany(direct.url, "127.0.0.2", PER_ADDRESS);
    await using second = await openMany(direct.url, "127.0.0.3", PER_ADDRESS);
    await using third = await openMany(direct.url, "127.0.0.4", PER_ADDRESS);
    expect([first.accepted, second.accepted]).toEqual([PER_ADDRESS, PER_ADDRESS]);
    // The connection of the first sign-in may still be open.
    expect([3, 4]).toContain(third.accepted);
  });

  it("exempts the proxy addresses that TRUST_PROXY names from the limit per address, and no others", async () => {
    {
      await using stranger = await openMany(named.url, "127.0.0.3", PER_ADDRESS + 5);
      expect(stranger.accepted).toBe(PER_ADDRESS);
    }
    await using proxy = await openMany(named.url, "127.0.0.2", PER_ADDRESS + 5);
    expect(proxy.accepted).toBe(PER_ADDRESS + 5);
  });

  it("exempts all connections from the limit per address when TRUST_PROXY is a number", async () => {
    await using proxy = await openMany(counted.url, "127.0.0.2", PER_ADDRESS + 5);
    expect(proxy.accepted).toBe(PER_ADDRESS + 5);
  });
});

/** A keep-alive connection from the address, or null when the server closes it unanswered. */
function open(url: string, localAddress: string): Promise<Socket | null> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), localAddress });
  socket.on("error", () => undefined);
  socket.write("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
  return new Promise((resolve) => {
    socket.once("data", () => resolve(socket));
    socket.once("close", () => resolve(null));
  });
}

async function openMany(url: string, localAddress: string, count: number) {
  const sockets = await Promise.all(Array.from({ length: count }, () => open(url, localAddress)));
  const accepted = sockets.filter((socket) => socket !== null);
  return {
    accepted: accepted.length,
    [Symbol.asyncDispose]: async () => {
      await Promise.all(accepted.map((socket) => new Promise((resolve) => socket.once("close", resolve).destroy())));
    },
  };
}
