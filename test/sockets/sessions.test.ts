import { describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { connect, follow, seen } from "./raw-client.ts";
import { openSession, progress, settingsChanged, signIn, startReplica, useReplica } from "./replica.ts";

const replica = useReplica();

const REQUEST_ID = /^[0-9a-f-]{36}$/;

describe("socket authentication", () => {
  it("closes a socket that sends nothing within 5 s", async () => {
    const started = performance.now();
    await using client = await connect(replica.url, null);
    expect(await client.closed).toEqual({ code: 4401, reason: "UNAUTHENTICATED" });
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it.each(["no-such-token", "", "空"])("closes a socket with the token %j at once", async (token) => {
    await using client = await connect(replica.url, token);
    expect(await client.closed).toEqual({ code: 4401, reason: "UNAUTHENTICATED" });
    expect(client.messages.map(({ error }) => error?.data.code)).toEqual(["UNAUTHENTICATED"]);
    expect(client.messages[0]?.error?.data.requestId).toMatch(REQUEST_ID);
  });

  it("closes a socket that calls before it sends its token, without running the call", async () => {
    await using client = await connect(replica.url, null);
    client.send({ id: 1, method: "mutation", params: { path: "auth.login", input: { username: "a", password: "b" } } });
    expect((await client.closed).code).toBe(4401);
    expect(client.messages.every(({ id }) => id === null)).toBe(true);
  });

  it("ignores a token in the URL", async () => {
    const { token } = await signIn(replica.database, "client");
    const socket = new WebSocket(`${replica.url}?token=${token}`);
    const code = await new Promise((resolve) => socket.once("close", resolve));
    expect(code).toBe(4401);
  });

  it("rejects expired and disabled callers", async () => {
    const expired = await signIn(replica.database, "client");
    await replica.database.query("update sessions set expires_at = 1 where id = $1", [expired.sessionId]);
    const disabled = await signIn(replica.database, "client");
    await replica.database.query("update users set is_active = false where id = $1", [disabled.userId]);
    for (const { token } of [expired, disabled]) {
      await using client = await connect(replica.url, token);
      expect((await client.closed).code).toBe(4401);
    }
  });

  it("allows a user 10 sockets and closes the 11th with the reason", async () => {
    const { token } = await signIn(replica.database, "client");
    await using open = new AsyncDisposableStack();
    for (let n = 0; n < 10; n++) open.use(await follow(replica.url, token));
    await using eleventh = await connect(replica.url, token);
    expect(await eleventh.closed).toEqual({ code: 4429, reason: "TOO_MANY_REQUESTS" });
    const other = await signIn(replica.database, "client");
    await using _other = await follow(replica.url, other.token);
    const metrics = await replica.app.metrics.registry.getSingleMetricAsString("console_event_streams");
    expect(metrics).toMatch(/^console_event_streams 11$/m);
  });
});

describe("ending a session", () => {
  it("closes its sockets within a second and delivers nothing after the answer", async () => {
    const { token } = await signIn(replica.database, "super_admin");
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

  it("a refresh over a socket still receives its answer, although it ends the old token", async () => {
    const { token } = await signIn(replica.database, "client");
    await using client = await connect(replica.url, token);
    client.send({ id: 5, method: "mutation", params: { path: "auth.refresh" } });
    await client.closed;
    expect(client.messages[0]?.result?.data).toMatchObject({ token: expect.stringMatching(/^[\w-]{43}$/) });
  });

  it("keeps the user's other sessions", async () => {
    const user = await signIn(replica.database, "super_admin");
    const second = await openSession(replica.database, user.userId);
    await using kept = await follow(replica.url, second.token);
    await using ended = await follow(replica.url, user.token);
    await replica.database.query("delete from sessions where id = $1", [user.sessionId]);
    replica.app.bus.emit("sessions.ended", { userId: user.userId, exceptSessionId: second.sessionId });
    await ended.closed;
    await replica.append(progress(1));
    await kept.until(() => seen(kept).length === 1);
  });

  it.each([
    ["signed out", "delete from sessions where id = $1"],
    ["expired", "update sessions set expires_at = 1 where id = $1"],
    ["disabled", "update users set is_active = false where id = (select user_id from sessions where id = $1)"],
    ["deleted", "delete from users where id = (select user_id from sessions where id = $1)"],
  ])("on another replica (%s) closes the sockets within 5 s and delivers no event meanwhile", async (_how, sql) => {
    const { token, sessionId } = await signIn(replica.database, "super_admin");
    await using client = await follow(replica.url, token);
    await using idle = await connect(replica.url, token);
    await replica.database.query(sql, [sessionId]);
    const started = performance.now();
    await replica.append(progress(1));
    expect((await client.closed).code).toBe(4401);
    expect((await idle.closed).code).toBe(4401);
    expect(performance.now() - started).toBeLessThan(5_000);
    expect(seen(client)).toEqual([]);
  });

  it("a refresh on another replica closes the sockets within 5 s", async () => {
    await using other = await startReplica(replica.database);
    const { token } = await signIn(replica.database, "client");
    await using watching = await follow(replica.url, token);
    await using acting = await connect(other.url, token);
    acting.send({ id: 5, method: "mutation", params: { path: "auth.refresh" } });
    await acting.closed;
    const started = performance.now();
    expect(acting.messages[0]?.result?.type).toBe("data");
    expect(await watching.closed).toEqual({ code: 4401, reason: "UNAUTHENTICATED" });
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
