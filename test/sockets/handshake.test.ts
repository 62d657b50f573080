import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { signIn, useReplica } from "./replica.ts";
import { upgrade } from "./upgrade.ts";

const replica = useReplica({ publicOrigins: ["https://console.example"] });

describe("the WebSocket handshake", () => {
  it.each([
    ["a foreign page", "https://evil.example", 403],
    ["a sandboxed page", "null", 403],
    ["another port of the same host", "http://127.0.0.1:1", 403],
    ["a listed origin", "https://console.example", 101],
    ["no browser", undefined, 101],
  ])("accepts only allowed origins: a handshake from %s", async (_who, origin, status) => {
    expect((await upgrade(replica.port, "/trpc", { origin })).status).toBe(status);
  });

  it("accepts its own origin, also behind a proxy that terminates TLS", async () => {
    const host = `127.0.0.1:${replica.port}`;
    expect((await upgrade(replica.port, "/trpc", { origin: `http://${host}` })).status).toBe(101);
    expect((await upgrade(replica.port, "/trpc", { origin: "https://a.example", host: "a.example" })).status).toBe(101);
    expect((await upgrade(replica.port, "/trpc", { origin: "https://a.example", host: "a.example:443" })).status).toBe(
      101,
    );
  });

  it.each(["/", "/trpc/", "/TRPC", "//trpc", "/trpc%2f", "/api/hosts", "/trpc/../trpc"])(
    "rejects %s with a plain 404",
    async (path) => {
      expect(await upgrade(replica.port, path)).toMatchObject({ status: 404, body: "" });
    },
  );

  it("rejects a malformed handshake", async () => {
    expect((await upgrade(replica.port, "/trpc", { "sec-websocket-key": "short" })).status).toBe(400);
  });

  it("rejects an address with 50 unauthenticated sockets until one of them signs in", async () => {
    const { token } = await signIn(replica.database, "client");
    const waiting = Array.from({ length: 50 }, () => new WebSocket(`${replica.url}?connectionParams=1`));
    await Promise.all(waiting.map((socket) => once(socket, "open")));
    expect((await upgrade(replica.port, "/trpc")).status).toBe(429);
    const parameters = { method: "connectionParams", data: { token } };
    waiting[0]?.send(JSON.stringify(parameters));
    await expect.poll(async () => (await upgrade(replica.port, "/trpc")).status).toBe(101);
    for (const socket of waiting) socket.terminate();
  });
});
