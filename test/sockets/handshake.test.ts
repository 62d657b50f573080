import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { connect, follow, upgrade } from "./raw-client.ts";
import { signIn, useReplica } from "./replica.ts";

const replica = useReplica({ publicOrigins: ["https://console.example"] });

describe("the WebSocket handshake", () => {
  it.each([
    ["a foreign page", { origin: "https://evil.example" }, 403],
    ["a sandboxed page", { origin: "null" }, 403],
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

  it.each(["/", "/trpc/", "/TRPC", "//trpc", "/trpc%2f", "/api/hosts", "/trpc/../trpc"])(
    "rejects %s with a plain 404",
    async (path) => {
      expect(await upgrade(replica.port, path)).toEqual({ status: 404, body: "" });
    },
  );

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

it("a server that shuts down answers running calls, announces the restart, and accepts no new sockets", async () => {
  const { token } = await signIn(replica.database, "client");
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
  expect((await upgrade(replica.port, "/trpc")).status).toBe(503);
});
