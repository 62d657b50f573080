import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { REQUEST_LIMITS } from "../../src/server/transport/http-server.ts";
import { useApp } from "../harness/app.ts";
import { scrape } from "../harness/scrape.ts";
import { openConnection } from "../slow/process/raw-http.ts";
import { statuses } from "./requests.ts";

const TOKEN = "token-of-the-metrics";
/** Milliseconds; far below the default deadlines of 15 and 60 s. */
const LIMITS = { headersTimeout: 400, requestTimeout: 800, connectionsCheckingInterval: 50 };
const CLOSED_WITHIN_MS = 5_000;
const app = useApp({ config: { metricsToken: TOKEN }, overrides: { requestLimits: LIMITS } });

const post = (path: string) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{"user`;

const CHUNKED =
  'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n20\r\n{"user';

const HALF_SENT = [
  ["nothing at all", ""],
  ["half of its headers", "GET /healthz HTTP/1.1\r\nX-Slow: "],
  ["half of a REST body", post("/api/auth/login")],
  ["half of a tRPC body", post("/trpc/auth.login")],
  ["half of a chunked body", CHUNKED],
] as const;

describe("request deadlines", () => {
  it.each(HALF_SENT)(
    "a request that is not complete in time gets 408 in JSON and its connection is closed: %s",
    async (_what, text) => {
      const began = performance.now();
      const limited = async () =>
        (await scrape(app.url, TOKEN)).value("console_limited_total", { surface: "http" }) ?? 0;
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
    socket.write(post("/api/auth/login"));
    const dripping = setInterval(() => socket.write("a"), 20);
    await new Promise((resolve) => socket.once("close", resolve));
    clearInterval(dripping);
    expect(performance.now() - began).toBeLessThan(CLOSED_WITHIN_MS);
  });

  it("a request that was rejected before its body arrived gets no second answer", async () => {
    using connection = await openConnection(app.url);
    connection.write(post("/api/users"));
    await connection.closed;
    expect(statuses(connection.received())).toEqual([401]);
  });
});
