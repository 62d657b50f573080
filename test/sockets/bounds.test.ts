import { describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { connect, follow, seen } from "./raw-client.ts";
import { progress, signIn, useReplica } from "./replica.ts";

const replica = useReplica();

const REQUEST_ID = /^[0-9a-f-]{36}$/;

describe("socket limits", () => {
  it("closes a socket for a frame over 64 KiB and accepts one just below", async () => {
    const { token } = await signIn(replica.database, "client");
    await using fits = await connect(replica.url, token);
    fits.send({ id: 1, method: "query", params: { path: "settings.get", padding: "x".repeat(65_000) } });
    await fits.until(({ messages }) => messages[0]?.result?.type === "data");
    await using large = await connect(replica.url, token);
    large.send({ id: 1, method: "query", params: { path: "settings.get", padding: "x".repeat(66_000) } });
    expect((await large.closed).code).toBe(1009);
  });

  it("allows 20 calls per frame", async () => {
    const { token } = await signIn(replica.database, "client");
    await using client = await connect(replica.url, token);
    const calls = (count: number) =>
      Array.from({ length: count }, (_, id) => ({ id, method: "query", params: { path: "settings.get" } }));
    client.send(calls(20));
    await client.until(({ messages }) => messages.length === 20);
    client.send(calls(21));
    expect(await client.closed).toEqual({ code: 4429, reason: "TOO_MANY_REQUESTS" });
  });

  it("allows 120 frames a minute, including pings and pongs", async () => {
    const { token } = await signIn(replica.database, "client");
    await using client = await connect(replica.url, token);
    // One frame carried the token.
    for (let id = 1; id < 100; id++) client.send({ id, method: "query", params: { path: "settings.get" } });
    for (let n = 0; n < 20; n++) client.socket.pong();
    await client.until(({ messages }) => messages.length === 99);
    client.socket.ping();
    expect(await client.closed).toEqual({ code: 4429, reason: "TOO_MANY_REQUESTS" });
  });

  it("counts a flooding socket that does not answer the close frame", async () => {
    const { token } = await signIn(replica.database, "client");
    await using client = await connect(replica.url, token);
    client.socket.pause();
    for (let n = 0; n <= 120; n++) client.send({ id: n, method: "query", params: { path: "settings.get" } });
    const limited = () => replica.app.metrics.registry.getSingleMetricAsString("console_limited_total");
    await expect.poll(limited, { timeout: 10_000 }).toMatch(/^console_limited_total\{surface="socket"\} 1$/m);
    client.socket.resume();
    await client.closed;
    expect(await limited()).toMatch(/^console_limited_total\{surface="socket"\} 1$/m);
  });

  it("survives frames that are not calls", async () => {
    const { token } = await signIn(replica.database, "client");
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
    for (const id of ids) expect(id).toMatch(REQUEST_ID);
  });

  it("closes a slow consumer, which can resume, while other sockets continue", async () => {
    const { token } = await signIn(replica.database, "super_admin");
    await using healthy = await follow(replica.url, token);
    await using stalled = await follow(replica.url, token);
    const start = stalled.events[0]?.id;
    stalled.socket.pause();
    const wide = progress(0);
    const text = "很长".repeat(1_000);
    let isCut = false;
    const openStreams = () => replica.app.metrics.registry.getSingleMetricAsString("console_event_streams");
    let sent = 0;
    // The size of the kernel's socket buffers differs between machines.
    while (!isCut) {
      expect(sent).toBeLessThan(4_000);
      const events = Array.from({ length: 100 }, () => ({ ...wide, data: { ...wide.data, configName: text } }));
      await replica.database.query(
        `insert into events (type, payload, created_at)
         select 'sync.progress', value, 1 from jsonb_array_elements($1::jsonb)`,
        [JSON.stringify(events.map((event) => event.data))],
      );
      sent += events.length;
      replica.app.bus.emit("events.appended");
      await healthy.until(() => seen(healthy).length >= sent, 10_000);
      isCut = /^console_event_streams 1$/m.test(await openStreams());
    }
    stalled.socket.resume();
    await stalled.closed;
    // The remaining frames stayed in the server's own buffer.
    expect(seen(stalled).length).toBeLessThan(sent);
    const lastSeen = stalled.events.at(-1)?.id ?? start;
    const missing = sent - seen(stalled).length;
    await using resumed = await follow(replica.url, token, lastSeen);
    await resumed.until(() => seen(resumed).length >= missing, 15_000);
    expect(resumed.events[0]?.event.data).toEqual({ resumed: true });
    expect(seen(resumed).length).toBe(missing);
  }, 60_000);
});
