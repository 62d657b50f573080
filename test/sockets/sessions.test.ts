import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { connect, follow, seen } from "./raw-client.ts";
import { progress, settingsChanged, signIn, startReplica, useReplica } from "./replica.ts";

const replica = useReplica();
const UNAUTHENTICATED = { code: 4401, reason: "UNAUTHENTICATED" };

describe("socket authentication", () => {
  it.each(["no-such-token", "", "空"])("closes a socket with the token %j at once", async (token) => {
    await using client = await connect(replica.url, token);
    expect(await client.closed).toEqual(UNAUTHENTICATED);
    const data = { code: "UNAUTHENTICATED", requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) };
    expect(client.messages).toMatchObject([{ error: { data } }]);
  });

  it("closes a socket that calls before it sends its token, without running the call", async () => {
    await using client = await connect(replica.url, null);
    client.send({ id: 1, method: "mutation", params: { path: "auth.login", input: { username: "a", password: "b" } } });
    expect(await client.closed).toEqual(UNAUTHENTICATED);
    expect(client.messages.every(({ id }) => id === null)).toBe(true);
  });

  it("ignores a token in the URL, and closes a socket that sends none within 5 s", async () => {
    const { token } = await signIn(replica.database, "client");
    const started = performance.now();
    const [code] = await once(new WebSocket(`${replica.url}?token=${token}`), "close");
    expect(code).toBe(4401);
    expect(performance.now() - started).toBeLessThan(5_000);
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
    expect(await watching.closed).toEqual(UNAUTHENTICATED);
    expect(await acting.closed).toEqual(UNAUTHENTICATED);
    expect(performance.now() - started).toBeLessThan(1_000);
    expect(watching.events.map(({ event }) => event.type)).toEqual(["stream.ready"]);
    expect(watching.messages.filter(({ error }) => error?.data.code === "UNAUTHENTICATED")).toHaveLength(1);
  });

  it("on another replica closes the sockets within 5 s and delivers no event meanwhile", async () => {
    const changes = {
      signedOut: "delete from sessions where id = $1",
      expired: "update sessions set expires_at = 1 where id = $1",
      disabled: "update users set is_active = false where id = (select user_id from sessions where id = $1)",
      deleted: "delete from users where id = (select user_id from sessions where id = $1)",
    };
    await using clients = new AsyncDisposableStack();
    const ended = await Promise.all(
      Object.entries(changes).map(async ([how, sql]) => {
        const { token, sessionId } = await signIn(replica.database, "super_admin");
        const watching = clients.use(await follow(replica.url, token));
        const idle = clients.use(await connect(replica.url, token));
        return { how, watching, idle, end: () => replica.database.query(sql, [sessionId]) };
      }),
    );
    for (const { end } of ended) await end();
    const started = performance.now();
    await replica.append(progress(1));
    for (const { how, watching, idle } of ended) {
      expect([(await watching.closed).code, (await idle.closed).code], how).toEqual([4401, 4401]);
      expect(seen(watching), how).toEqual([]);
    }
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it("by a refresh answers over the socket that asked, and closes those on another replica within 5 s", async () => {
    await using other = await startReplica(replica.database);
    const { token } = await signIn(replica.database, "client");
    await using watching = await follow(replica.url, token);
    await using acting = await connect(other.url, token);
    acting.send({ id: 5, method: "mutation", params: { path: "auth.refresh" } });
    await acting.closed;
    const started = performance.now();
    expect(acting.messages[0]?.result?.data).toMatchObject({ token: expect.stringMatching(/^[\w-]{43}$/) });
    expect(await watching.closed).toEqual(UNAUTHENTICATED);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
