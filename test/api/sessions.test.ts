import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { EndedSessions, OwnSession } from "../../src/shared/auth.ts";
import { type Account, useApp } from "../harness/app.ts";
import { fixedClock } from "../harness/clocks.ts";
import { MISSING } from "../harness/data.ts";
import { holdLock, itOnPostgresql } from "../harness/hold-lock.ts";
import { connect, follow } from "../harness/raw-client.ts";
import { type RestClient, restClient } from "../harness/rest.ts";
import { PASSWORD } from "../harness/root-user.ts";

// The sweep over the sockets, which would find ended sessions later, never runs here.
beforeAll(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }));
afterAll(() => void vi.useRealTimers());
const clock = fixedClock();
const app = useApp({ overrides: { clock }, config: { session: { ttl: 3600, idle: 200 } } });
const NEW_PASSWORD = "Another2Horse";

const withToken = (token: string | null) => restClient(app.url, token);
const isSignedIn = async (client: RestClient) => (await client.get("/api/auth/me")).status === 200;
const signInWith = (username: string, password: string) =>
  app.anonymous.post("/api/auth/login", { username, password });
const sessionsOf = async (client: RestClient) =>
  OwnSession.array().parse((await client.get("/api/auth/sessions")).data);
const currentOf = async (client: RestClient) =>
  (await sessionsOf(client)).find(({ isCurrent }) => isCurrent)?.id ?? "";
const endOthers = async (client: RestClient) =>
  EndedSessions.parse((await client.delete("/api/auth/sessions")).data).ended;
const changePassword = (client: RestClient, currentPassword: string, newPassword = NEW_PASSWORD) =>
  client.put("/api/auth/password", { currentPassword, newPassword });

describe("a session", () => {
  it("is replaced by a refresh and ended by signing out; other sessions go on", async () => {
    const other = await app.signIn("root");
    const me = await app.root.get("/api/auth/me");
    const refreshed = await app.root.post("/api/auth/refresh");
    expect(refreshed.status).toBe(200);
    expect(me.data).toMatchObject(refreshed.data.user);
    const renewed = withToken(refreshed.data.token);
    expect([await isSignedIn(app.root), await isSignedIn(renewed)]).toEqual([false, true]);
    const signedOut = await renewed.post("/api/auth/logout");
    expect([signedOut.status, signedOut.data]).toEqual([200, {}]);
    expect([await isSignedIn(renewed), await isSignedIn(other)]).toEqual([false, true]);
  });

  it("lives to the last second of its idle timeout, counted from its last use", async () => {
    for (const seconds of [50, 199]) {
      clock.forward(seconds);
      expect(await isSignedIn(app.root)).toBe(true);
    }
    clock.forward(200);

    expect(await isSignedIn(app.root)).toBe(false);
  });

  it("lives to the last second of its absolute timeout, however often refreshed", async () => {
    let session: RestClient = app.root;
    for (let count = 0; count < 20; count++) {
      clock.forward(175);
      session = withToken((await session.post("/api/auth/refresh")).data.token);
    }
    clock.forward(3600 - 20 * 175 - 1);
    expect(await isSignedIn(session)).toBe(true);
    clock.forward(1);
    expect(await isSignedIn(session)).toBe(false);
  });
});

describe("one's own sessions", () => {
  it("are listed with address, browser and times, the current one first", async () => {
    const headers = {
      "content-type": "application/json",
      "user-agent": `Firefox${"é".repeat(300)}`,
    };
    const body = JSON.stringify({ username: "root", password: PASSWORD });
    const signedIn = await app.anonymous.raw("POST", "/api/auth/login", { headers, body });
    const start = clock.now();
    clock.forward(60);
    const used = await app.signIn("root");
    clock.forward(60);
    const [current, next, last, ...none] = await sessionsOf(app.root);
    expect(none).toEqual([]);
    expect(current).toMatchObject({ isCurrent: true, ip: "127.0.0.1", lastSeenAt: start + 120 });
    expect(next).toMatchObject({
      id: await currentOf(used),
      isCurrent: false,
      createdAt: start + 60,
    });
    expect(last).toMatchObject({ userAgent: `Firefox${"é".repeat(193)}`, expiresAt: start + 3600 });
    clock.forward(60);
    await withToken(signedIn.data.token).get("/api/auth/me");
    expect((await sessionsOf(app.root))[1]?.id).toBe(last?.id);
  });

  it("are neither listed nor ended when they are another user's, expired or idle", async () => {
    const client = await app.account("client");
    const expired = await currentOf(await app.signIn(client.username));
    await app.database.query("update sessions set expires_at = 1 where id = $1", [expired]);
    const idle = await currentOf(await app.signIn(client.username));
    await app.database.query(
      "update sessions set last_used_at = last_used_at - 200 where id = $1",
      [idle],
    );
    expect(await sessionsOf(client)).toHaveLength(1);
    const unknown = { status: 404, data: { code: "NOT_FOUND", message: "登录会话不存在或已失效" } };
    for (const id of [await currentOf(app.root), expired, idle, MISSING]) {
      expect(await client.delete(`/api/auth/sessions/${id}`)).toMatchObject(unknown);
    }
    expect(await endOthers(client)).toBe(0);
    const refusal = {
      status: 409,
      data: { code: "STATE_CONFLICT", message: "这是当前会话，请使用“退出登录”" },
    };
    expect(await client.delete(`/api/auth/sessions/${await currentOf(client)}`)).toMatchObject(
      refusal,
    );
    expect([await isSignedIn(app.root), await isSignedIn(client)]).toEqual([true, true]);
  });

  it("the next sign-in beyond twenty sessions ends the oldest and its sockets", async () => {
    const others: Account[] = [];
    for (let count = 0; count < 19; count++) others.push(await app.signIn("root"));
    await using watching = await follow(app.url, app.root.token);
    const refreshed = withToken((await others[0]?.post("/api/auth/refresh"))?.data.token);
    expect(await sessionsOf(app.root)).toHaveLength(20);
    const newest = await app.signIn("root");
    expect((await watching.closed).code).toBe(4401);
    expect([await isSignedIn(app.root), await isSignedIn(refreshed)]).toEqual([false, true]);
    expect(await sessionsOf(newest)).toHaveLength(20);
  });
});

describe("ending other sessions", () => {
  it.each(["one", "all"])(
    "ends %s of the caller and closes the sockets, which receive nothing more",
    async (how) => {
      const other = await app.signIn("root");
      const third = await app.signIn("root");
      const path =
        how === "one" ? `/api/auth/sessions/${await currentOf(other)}` : "/api/auth/sessions";
      await using kept = await follow(app.url, app.root.token);
      await using watching = await follow(app.url, other.token);
      await using idle = await connect(app.url, other.token);
      const answer = await app.root.delete(path);
      expect([answer.status, answer.data]).toEqual([200, how === "one" ? {} : { ended: 2 }]);
      expect([await isSignedIn(other), await isSignedIn(third)]).toEqual([false, how === "one"]);
      await app.root.put("/api/system-config", { show_network_info_to_client: true });
      expect([(await watching.closed).code, (await idle.closed).code]).toEqual([4401, 4401]);
      expect(watching.events.map(({ event }) => event.type)).toEqual(["stream.ready"]);
      await kept.until(({ events }) =>
        events.some(({ event }) => event.type === "settings.changed"),
      );
    },
  );

  itOnPostgresql("ends a session whose change of the password waits for that", async () => {
    const other = await app.signIn("root");
    await using lock = await holdLock(app.database, "select from users where id = $1 for update", [
      app.root.id,
    ]);
    // Both wait for the user, and get it in the order in which they came.
    const ending = endOthers(app.root);
    await lock.awaited(1);
    const changing = changePassword(other, PASSWORD);
    await lock.awaited(2);

    await lock.release();

    expect(await ending).toBe(1);
    expect(await changing).toMatchObject({ status: 401, data: { code: "UNAUTHENTICATED" } });
    expect(await isSignedIn(app.root)).toBe(true);
  });
});

describe("changing one's own password", () => {
  it("keeps this session, and ends the others and closes their sockets", async () => {
    const account = await app.account("client");
    const other = await app.signIn(account.username);
    await using watching = await follow(app.url, other.token);

    const answer = await changePassword(account, PASSWORD);

    expect([answer.status, answer.data]).toEqual([200, {}]);
    expect([await isSignedIn(account), await isSignedIn(other)]).toEqual([true, false]);
    expect((await watching.closed).code).toBe(4401);
    expect((await signInWith(account.username, PASSWORD)).status).toBe(401);
    expect((await signInWith(account.username, NEW_PASSWORD)).status).toBe(200);
  });

  it("after ten wrong ones the right one is refused too, for this user only", async () => {
    const other = await app.account("client");
    const refusal = { status: 400, data: { code: "WRONG_PASSWORD", message: "当前密码不正确" } };
    for (let count = 0; count < 10; count++) {
      expect(await changePassword(app.root, "Wrong1Password")).toMatchObject(refusal);
    }

    expect((await changePassword(app.root, PASSWORD)).status).toBe(429);
    expect((await signInWith("root", PASSWORD)).status).toBe(200);
    expect((await changePassword(other, PASSWORD)).status).toBe(200);
  });

  it("resets the count of wrong current passwords", async () => {
    const guess = () => changePassword(app.root, "Wrong1Password");
    for (let count = 0; count < 9; count++) await guess();

    expect((await changePassword(app.root, PASSWORD)).status).toBe(200);
    expect((await guess()).status).toBe(400);
  });

  it("accepts 128 characters of any kind and compares every one of them", async () => {
    const newPassword = `Aa1 密码😀${"x".repeat(120)}y`;

    expect((await changePassword(app.root, PASSWORD, `${newPassword}z`)).status).toBe(400);
    expect((await changePassword(app.root, PASSWORD, newPassword)).status).toBe(200);
    expect((await signInWith("root", newPassword)).status).toBe(200);
    expect((await signInWith("root", `${newPassword.slice(0, -1)}z`)).status).toBe(401);
  });
});

describe("resetting a password", () => {
  const reset = ({ id }: Account) => app.root.post(`/api/users/${id}/reset-password`);

  it("ends all sessions, closes their sockets and returns a new password", async () => {
    const admin = await app.account("admin");
    const second = await app.signIn(admin.username);
    await using watching = await follow(app.url, second.token);

    const { status, data } = await reset(admin);

    expect([status, data]).toEqual([200, { newPassword: expect.any(String) }]);
    expect([await isSignedIn(admin), await isSignedIn(second)]).toEqual([false, false]);
    expect((await watching.closed).code).toBe(4401);
    expect((await signInWith(admin.username, PASSWORD)).status).toBe(401);
  });

  it("returns a password whose session may only change it", async () => {
    const admin = await app.account("admin");
    const { newPassword } = (await reset(admin)).data;

    const signedIn = await signInWith(admin.username, newPassword);

    expect(signedIn.data.user.mustChangePassword).toBe(true);
    const session = withToken(signedIn.data.token);
    expect((await session.get("/api/auth/me")).data.mustChangePassword).toBe(true);
    expect(await session.get("/api/users")).toMatchObject({
      status: 403,
      data: { message: "请先修改初始密码" },
    });
    expect((await changePassword(session, newPassword)).status).toBe(200);
    expect((await session.get("/api/users")).status).toBe(200);
    expect((await session.get("/api/auth/me")).data.mustChangePassword).toBe(false);
  });

  it("does not enable a disabled account, and a missing user is not found", async () => {
    const client = await app.account("client");
    await app.root.put(`/api/users/${client.id}`, { isActive: false });

    const { data } = await reset(client);

    expect((await signInWith(client.username, data.newPassword)).data.code).toBe("LOGIN_FAILED");
    expect((await app.root.post(`/api/users/${MISSING}/reset-password`)).status).toBe(404);
  });

  itOnPostgresql("refuses a sign-in that verified the old password before it", async () => {
    const client = await app.account("client");
    await using lock = await holdLock(app.database, "select from users where id = $1 for update", [
      client.id,
    ]);
    // Both wait for the user, and get it in the order in which they came.
    const resetting = reset(client);
    await lock.awaited(1);
    const signingIn = signInWith(client.username, PASSWORD);
    await lock.awaited(2);

    await lock.release();

    expect((await resetting).status).toBe(200);
    expect((await signingIn).data.code).toBe("LOGIN_FAILED");
  });

  itOnPostgresql(
    "ends the session of a sign-in with the old password that it waited for",
    async () => {
      const client = await app.account("client");
      await using lock = await holdLock(
        app.database,
        "select from users where id = $1 for update",
        [client.id],
      );
      const signingIn = signInWith(client.username, PASSWORD);
      await lock.awaited(1);
      const resetting = reset(client);
      await lock.awaited(2);

      await lock.release();

      const { status, data } = await signingIn;
      expect([status, (await resetting).status]).toEqual([200, 200]);
      expect(await isSignedIn(withToken(data.token))).toBe(false);
    },
  );
});

describe("disabling or deleting a user", () => {
  it("ends the user's sessions for ever and closes their sockets at once", async () => {
    const client = await app.account("client");
    const deleted = await app.account("client");
    await using watching = await follow(app.url, client.token);
    await using other = await follow(app.url, deleted.token);
    await app.root.delete(`/api/users/${deleted.id}`);
    expect((await other.closed).code).toBe(4401);
    await app.root.put(`/api/users/${client.id}`, { isActive: false });
    expect((await watching.closed).code).toBe(4401);
    expect(await isSignedIn(client)).toBe(false);
    await app.root.put(`/api/users/${client.id}`, { isActive: true });
    expect(await isSignedIn(client)).toBe(false);
    expect((await client.post("/api/auth/refresh")).status).toBe(401);
  });

  it("a user who is inactive in the database is rejected, with a live session too", async () => {
    const client = await app.account("client");
    await app.database.query("update users set is_active = false where id = $1", [client.id]);
    expect(await isSignedIn(client)).toBe(false);
  });

  itOnPostgresql(
    "a refresh waits for a change of its user and fails when that ended the session",
    async () => {
      const client = await app.account("client");
      await using change = await holdLock(
        app.database,
        "select from users where id = $1 for update",
        [client.id],
      );
      const refreshing = client.post("/api/auth/refresh");
      await change.awaited();
      await change.query("delete from sessions where user_id = $1", [client.id]);

      await change.release();

      expect((await refreshing).status).toBe(401);
    },
  );
});
