import { describe, expect, it } from "vitest";
import { REQUEST_LIMITS } from "../../src/server/platform/http/http-server.ts";
import { type TestApp, useApp } from "../harness/app.ts";
import { openConnection, statuses } from "../harness/raw-requests.ts";
import { scrape } from "../harness/scrape.ts";

const TOKEN = "token-of-the-metrics";
const limitedAt = async ({ url }: TestApp) =>
  (await scrape(url, TOKEN)).value("console_limited_total", { surface: "http" }) ?? 0;

describe("request deadlines", () => {
  /** Milliseconds; far below the default deadlines. */
  const LIMITS = { headersTimeout: 400, requestTimeout: 800, connectionsCheckingInterval: 50 };
  const CLOSED_WITHIN_MS = 5_000;
  const HALF_BODY =
    'Host: x\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{"user';
  const app = useApp({ config: { metricsToken: TOKEN }, overrides: { requestLimits: LIMITS } });

  it("requests that are not complete in time get 408 and are closed", async () => {
    const before = await limitedAt(app);
    const began = performance.now();
    using connections = new DisposableStack();
    const posts = ["/api/auth/login", "/trpc/auth.login"].map(
      (path) => `POST ${path} HTTP/1.1\r\n${HALF_BODY}`,
    );
    const texts = ["", "GET /healthz HTTP/1.1\r\nX-Slow: ", ...posts];
    const opened = await Promise.all(texts.map(() => openConnection(app.url)));
    for (const [index, connection] of opened.entries())
      connections.use(connection).write(texts[index] ?? "");
    await Promise.all(opened.map(({ closed }) => closed));
    expect(performance.now() - began).toBeLessThan(CLOSED_WITHIN_MS);
    for (const { received } of opened) {
      expect(statuses(received())).toEqual([408]);
      expect(received()).toMatch(/^Connection: close\r$/m);
      expect(received()).toMatch(
        /\{"message":"请求未在规定时间内发送完毕","code":"INVALID_INPUT"\}$/,
      );
    }
    expect((await limitedAt(app)) - before).toBe(texts.length);
  });

  it("are 15 s for headers and 60 s for the request, checked every 5 s", () => {
    const limits = {
      headersTimeout: 15_000,
      requestTimeout: 60_000,
      connectionsCheckingInterval: 5_000,
    };

    expect(REQUEST_LIMITS).toMatchObject(limits);
  });

  it("a request is cut off at its deadline even if bytes keep arriving", async () => {
    const began = performance.now();
    using connection = await openConnection(app.url, { allowHalfOpen: true });
    connection.write(`POST /api/auth/login HTTP/1.1\r\n${HALF_BODY}`);
    const dripping = setInterval(() => connection.write("a"), 20);
    await connection.closed;
    clearInterval(dripping);

    expect(performance.now() - began).toBeLessThan(CLOSED_WITHIN_MS);
  });

  it("a request that was rejected before its body arrived gets no second answer", async () => {
    using connection = await openConnection(app.url);
    connection.write(`POST /api/users HTTP/1.1\r\n${HALF_BODY}`);

    await connection.closed;

    expect(statuses(connection.received())).toEqual([401]);
  });
});

// Only Linux has more loopback addresses.
describe.runIf(process.platform === "linux")("connection limits", () => {
  const MOST = 8;
  const limits = { total: 20, perAddress: MOST };
  const direct = useApp({ config: { connectionLimits: limits, metricsToken: TOKEN } });
  const named = useApp({ config: { connectionLimits: limits, trustProxy: ["127.0.0.2"] } });
  const counted = useApp({ config: { connectionLimits: limits, trustProxy: 1 } });

  it("close connections beyond the limit of an address, and serve other addresses", async () => {
    {
      await using first = await openMany(direct.url, "127.0.0.2", MOST + 5);
      await using second = await openMany(direct.url, "127.0.0.3", 3);
      expect([first.accepted, second.accepted]).toEqual([MOST, 3]);
      await using late = await openMany(direct.url, "127.0.0.2", 1);
      expect(late.accepted).toBe(0);
    }
    const accepted = async () => {
      await using again = await openMany(direct.url, "127.0.0.2", MOST);
      return again.accepted;
    };

    await expect.poll(accepted).toBe(MOST);
  });

  it("close and count connections beyond the limit of the process", async () => {
    const before = await limitedAt(direct);
    await using first = await openMany(direct.url, "127.0.0.2", MOST);
    await using second = await openMany(direct.url, "127.0.0.3", MOST);
    await using third = await openMany(direct.url, "127.0.0.4", MOST);
    expect([first.accepted, second.accepted]).toEqual([MOST, MOST]);
    // The connection of the first sign-in may still be open.
    expect([3, 4]).toContain(third.accepted);
    await first[Symbol.asyncDispose]();
    expect((await limitedAt(direct)) - before).toBe(MOST - third.accepted);
  });

  it("exempt the proxies that TRUST_PROXY names from the limit per address", async () => {
    for (const [app, address, expected] of [
      [named, "127.0.0.3", MOST],
      [named, "127.0.0.2", MOST + 5],
      [counted, "127.0.0.2", MOST + 5],
    ] as const) {
      await using opened = await openMany(app.url, address, MOST + 5);
      expect(opened.accepted).toBe(expected);
    }
  });
});

/** Keep-alive connections from the address; the server closes those beyond a limit unanswered. */
async function openMany(url: string, localAddress: string, count: number) {
  const opening = Array.from({ length: count }, () => openConnection(url, { localAddress }));
  const connections = await Promise.all(opening);
  for (const { write } of connections) write("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
  const answers = await Promise.all(
    connections.map(({ answered, closed }) => Promise.race([answered, closed])),
  );
  return {
    accepted: answers.filter((text) => text !== undefined).length,
    async [Symbol.asyncDispose]() {
      for (const connection of connections) connection[Symbol.dispose]();
      await Promise.all(connections.map(({ closed }) => closed));
    },
  };
}
