import { once } from "node:events";
import { createTRPCClient, createWSClient, wsLink } from "@trpc/client";
import { describe, expect, it, vi } from "vitest";
import { WebSocket } from "ws";
import { connect, follow, upgrade } from "./raw-client.ts";
import { progress, signIn, startReplica, type streamRouter, useReplica } from "./replica.ts";

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

describe("a server that shuts down", () => {
  it("answers running calls, announces the restart, and accepts no new sockets", async () => {
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

  it("loses no event of a tRPC client, which reconnects by itself to another replica", async () => {
    await using other = await startReplica(replica.database);
    const { token } = await signIn(replica.database, "super_admin");
    let url = replica.url;
    const socket = createWSClient({ url: () => url, connectionParams: { token }, retryDelayMs: () => 20 });
    const client = createTRPCClient<typeof streamRouter>({ links: [wsLink({ client: socket })] });
    const received: string[] = [];
    const subscription = client.events.stream.subscribe(undefined, {
      onData({ data: { type, data } }) {
        if (type === "stream.ready") received.push(`ready ${data.resumed}`);
        if (type === "sync.progress") received.push(`event ${data.hostsSeen}`);
      },
    });
    await vi.waitFor(() => expect(received).toEqual(["ready false"]), 5_000);
    await replica.append(progress(1));
    await vi.waitFor(() => expect(received).toContain("event 1"), 5_000);
    url = other.url;
    await replica.webSockets.drain();
    await other.append(progress(2));
    await vi.waitFor(() => expect(received).toEqual(["ready false", "event 1", "ready true", "event 2"]), 5_000);
    subscription.unsubscribe();
    await socket.close();
  });
});
