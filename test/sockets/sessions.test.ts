import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { WebSocket } from "ws";
import { useApp } from "../harness/app.ts";
import { holdLock, itOnPostgresql } from "../harness/hold-lock.ts";
import { connect, follow, socketUrl, upgrade } from "../harness/raw-client.ts";
import { startApp } from "../harness/start-app.ts";

// The sweep over the sockets, once a second, runs only when a test moves its timer.
beforeAll(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }));
afterAll(() => void vi.useRealTimers());
const app = useApp();
const UNAUTHENTICATED = { code: 4401, reason: "UNAUTHENTICATED" };
/** An event for everyone, which this server reads at once. */
const changeSettings = () =>
  app.root.put("/api/system-config", { show_network_info_to_client: true });

describe("socket authentication", () => {
  it.each(["no-such-token", "", "空"])(
    "closes a socket with the token %j at once",
    async (token) => {
      await using client = await connect(app.url, token);
      expect(await client.closed).toEqual(UNAUTHENTICATED);
      const data = { code: "UNAUTHENTICATED", requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) };
      expect(client.messages).toMatchObject([{ error: { data } }]);
    },
  );

  it("closes a socket that calls before it sends its token, without running the call", async () => {
    await using client = await connect(app.url, null);
    client.send({
      id: 1,
      method: "mutation",
      params: { path: "auth.login", input: { username: "a", password: "b" } },
    });

    expect(await client.closed).toEqual(UNAUTHENTICATED);
    expect(client.messages.every(({ id }) => id === null)).toBe(true);
  });

  it("ignores a token in the URL", async () => {
    const { token } = await app.account("client");
    const socket = new WebSocket(`${socketUrl(app.url)}?token=${token}`);
    expect((await once(socket, "close"))[0]).toBe(4401);
  });

  it("closes a socket that sends no token for 4 s", async () => {
    await using client = await connect(app.url, null);
    vi.advanceTimersByTime(3_000);
    expect((await upgrade(app.url)).status).toBe(101);
    expect(client.socket.readyState).toBe(WebSocket.OPEN);
    vi.advanceTimersByTime(1_000);
    expect(await client.closed).toEqual(UNAUTHENTICATED);
  });

  itOnPostgresql("tells a socket to come back when nobody can check its token", async () => {
    const { token } = await app.account("client");
    await using lock = await holdLock(app.database, "lock table sessions in access exclusive mode");
    await using client = await connect(app.url, token);
    await lock.awaited();

    vi.advanceTimersByTime(4_000);

    expect(await client.closed).toEqual({ code: 1013, reason: "UNAVAILABLE" });
  });
});

describe("ending a session", () => {
  it("closes its sockets at once, and delivers nothing after the answer", async () => {
    const { token } = await app.account("super_admin");
    await using watching = await follow(app.url, token);
    await using acting = await connect(app.url, token);
    acting.send({ id: 5, method: "mutation", params: { path: "auth.logout" } });
    await acting.until(({ messages }) => messages.some(({ id }) => id === 5));
    expect(acting.messages[0]?.result?.type).toBe("data");
    await changeSettings();
    expect(await watching.closed).toEqual(UNAUTHENTICATED);
    expect(await acting.closed).toEqual(UNAUTHENTICATED);
    expect(watching.events.map(({ event }) => event.type)).toEqual(["stream.ready"]);
    expect(
      watching.messages.filter(({ error }) => error?.data.code === "UNAUTHENTICATED"),
    ).toHaveLength(1);
  });

  itOnPostgresql(
    "by a refresh answers with the new token first, however slow the database is",
    async () => {
      const { token } = await app.account("client");
      await using client = await connect(app.url, token);
      await using sessions = await holdLock(app.database, "lock table sessions in share mode");
      client.send({ id: 5, method: "mutation", params: { path: "auth.refresh" } });
      await sessions.awaited();
      const waiting = holdLock(app.database, "lock table users in access exclusive mode");
      await sessions.awaited(2);
      await sessions.release();

      await using _users = await waiting;

      expect(await client.closed).toEqual(UNAUTHENTICATED);
      expect(client.messages).toMatchObject([{ id: 5, result: { type: "data" } }]);
    },
  );

  it.each([
    ["signed out", "delete from sessions where user_id = $1"],
    ["expired", "update sessions set expires_at = 1 where user_id = $1"],
    ["disabled", "update users set is_active = false where id = $1"],
    ["deleted", "delete from users where id = $1"],
  ])(
    "on another replica closes sockets within 5 s, delivers no event meanwhile: %s",
    async (_how, sql) => {
      const { token, id } = await app.account("super_admin");
      await using watching = await follow(app.url, token);
      await using idle = await connect(app.url, token);
      // One check finds every session alive.
      vi.advanceTimersByTime(2_000);
      await changeSettings();
      await watching.until(({ events }) => events.length === 2);
      await app.database.query(sql, [id]);
      await changeSettings();
      vi.advanceTimersByTime(4_000);

      expect([await watching.closed, await idle.closed]).toEqual([
        UNAUTHENTICATED,
        UNAUTHENTICATED,
      ]);
      expect(watching.events.map(({ event }) => event.type)).toEqual([
        "stream.ready",
        "settings.changed",
      ]);
    },
  );

  it("by a refresh answers over the socket that asked, and closes others within 5 s", async () => {
    await using other = await startApp(app.database.connection);
    const { token } = await app.account("client");
    await using watching = await follow(app.url, token);
    await using acting = await connect(other.url, token);
    acting.send({ id: 5, method: "mutation", params: { path: "auth.refresh" } });
    await acting.closed;
    expect(acting.messages[0]?.result?.data).toMatchObject({
      token: expect.stringMatching(/^[\w-]{43}$/),
    });
    vi.advanceTimersByTime(4_000);
    expect(await watching.closed).toEqual(UNAUTHENTICATED);
  });
});
