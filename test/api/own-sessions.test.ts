import { describe, expect, it } from "vitest";
import { EndedSessions, OwnSession } from "../../src/shared/auth.ts";
import type { Role } from "../../src/shared/roles.ts";
import { type Account, PASSWORD, useApp } from "../harness/app.ts";
import { movableClock } from "../harness/movable-clock.ts";
import { type RestClient, restClient } from "../harness/rest.ts";
import { connect, follow } from "../sockets/raw-client.ts";

const clock = movableClock();
const app = useApp({ overrides: { clock }, config: { session: { ttl: 3600, idle: 600 } } });
const ROLES: readonly Role[] = ["super_admin", "admin", "client"];
const MISSING = "0198a000-0000-7000-8000-000000000000";

const sessionsOf = async (client: RestClient) =>
  OwnSession.array().parse((await client.get("/api/auth/sessions")).data);
const currentOf = async (client: RestClient) => (await sessionsOf(client)).find(({ isCurrent }) => isCurrent)?.id ?? "";
const isSignedIn = async (client: RestClient) => (await client.get("/api/auth/me")).status === 200;
const endOthers = async (client: RestClient) =>
  EndedSessions.parse((await client.delete("/api/auth/sessions")).data).ended;
const signInAs = async (userAgent: string) => {
  const headers = { "content-type": "application/json", "user-agent": userAgent };
  const body = JSON.stringify({ username: "root", password: PASSWORD });
  return String((await app.anonymous.raw("POST", "/api/auth/login", { headers, body })).data.token);
};
/** Within 5 s, because the clock runs during a test. */
const about = (seconds: number) => expect.closeTo(seconds, -1);
const socketUrl = () => `${app.url.replace("http", "ws")}/trpc`;
const tokenOf = ({ token }: Account) => token ?? "";

describe("one's own sessions", () => {
  it.each(ROLES)("a %s lists the own sessions, ends one and then all the others", async (role) => {
    const account = await app.account(role);
    const [second, third, fourth] = [
      await app.signIn(account.username),
      await app.signIn(account.username),
      await app.signIn(account.username),
    ];
    expect(await sessionsOf(account)).toHaveLength(4);
    const ended = await account.delete(`/api/auth/sessions/${await currentOf(second)}`);
    expect([ended.status, ended.data]).toEqual([200, {}]);
    expect([await isSignedIn(second), await isSignedIn(third)]).toEqual([false, true]);
    expect(await endOthers(account)).toBe(2);
    expect([await isSignedIn(third), await isSignedIn(fourth), await isSignedIn(account)]).toEqual([
      false,
      false,
      true,
    ]);
    expect(await endOthers(account)).toBe(0);
  });

  it("lists where and since when each session was used, the current one first, then by last use", async () => {
    const firefox = restClient(app.url, await signInAs("Firefox/128"));
    clock.forward(120);
    const used = await app.signIn("root");
    clock.forward(120);
    const [current, next, last, ...none] = await sessionsOf(app.root);
    expect(none).toEqual([]);
    expect(current).toMatchObject({ isCurrent: true, ip: "127.0.0.1", lastSeenAt: about(clock.now()) });
    expect(next).toMatchObject({ id: await currentOf(used), isCurrent: false, createdAt: about(clock.now() - 120) });
    expect(last).toMatchObject({ userAgent: "Firefox/128", expiresAt: about(clock.now() - 240 + 3600) });
    clock.forward(120);
    await firefox.get("/api/auth/me");
    const [, lastUsed] = await sessionsOf(app.root);
    expect(lastUsed).toMatchObject({ userAgent: "Firefox/128", lastSeenAt: about(clock.now()) });
  });

  it("stores at most 200 characters of the user agent and keeps it over a refresh", async () => {
    const token = await signInAs("é".repeat(300));
    const called = async () => (await sessionsOf(app.root)).map(({ userAgent }) => userAgent);
    expect(await called()).toContain("é".repeat(200));
    const headers = { authorization: `Bearer ${token}`, "user-agent": "Firefox/140" };
    await app.anonymous.raw("POST", "/api/auth/refresh", { headers });
    expect(await called()).toContain("Firefox/140");
    expect(await called()).not.toContain("é".repeat(200));
  });

  it("the next sign-in beyond twenty sessions ends the oldest one and closes its sockets", async () => {
    const others: Account[] = [];
    for (let count = 0; count < 19; count++) others.push(await app.signIn("root"));
    await using watching = await follow(socketUrl(), tokenOf(app.root));
    const refreshed = restClient(app.url, (await others[0]?.post("/api/auth/refresh"))?.data.token);
    expect(await sessionsOf(app.root)).toHaveLength(20);
    const newest = await app.signIn("root");
    expect((await watching.closed).code).toBe(4401);
    expect((await app.root.get("/api/auth/me")).status).toBe(401);
    expect((await refreshed.get("/api/auth/me")).status).toBe(200);
    expect(await sessionsOf(newest)).toHaveLength(20);
  });

  it("concurrent sign-ins leave at most twenty sessions", async () => {
    await Promise.all(Array.from({ length: 10 }, () => app.signIn("root")));
    const signIns = await Promise.all(Array.from({ length: 10 }, () => app.signIn("root")));
    const alive = await Promise.all(signIns.map(async (each) => (await each.get("/api/auth/me")).status));
    expect(alive).toEqual(Array.from({ length: 10 }, () => 200));
    expect(await app.database.query("select id from sessions")).toHaveLength(20);
  });

  it("neither lists nor ends a session of another user, an expired one or a missing one", async () => {
    const client = await app.account("client");
    const own = await app.signIn(client.username);
    const dead = await currentOf(own);
    await app.database.query("update sessions set expires_at = 1 where id = $1", [dead]);
    const idle = await currentOf(await app.signIn(client.username));
    await app.database.query("update sessions set last_used_at = last_used_at - 600 where id = $1", [idle]);
    expect(await sessionsOf(client)).toHaveLength(1);
    const foreign = await currentOf(app.root);
    const answers = await Promise.all(
      [foreign, dead, idle, MISSING].map((id) => client.delete(`/api/auth/sessions/${id}`)),
    );
    for (const { status, body } of answers) {
      expect([status, body]).toMatchObject([404, { code: "NOT_FOUND", message: "登录会话不存在或已失效" }]);
    }
    expect((await client.delete("/api/auth/sessions/nonsense")).status).toBe(400);
    expect(await endOthers(client)).toBe(0);
    expect(await isSignedIn(app.root)).toBe(true);
  });

  it("the current session is ended by signing out only", async () => {
    const answer = await app.root.delete(`/api/auth/sessions/${await currentOf(app.root)}`);
    expect([answer.status, answer.body]).toMatchObject([
      409,
      { code: "STATE_CONFLICT", message: "这是当前会话，请使用“退出登录”" },
    ]);
    expect(await isSignedIn(app.root)).toBe(true);
  });

  it("an expired session can neither list nor end sessions", async () => {
    const dead = await app.signIn("root");
    await dead.post("/api/auth/logout");
    const id = await currentOf(app.root);
    for (const answer of [
      await dead.get("/api/auth/sessions"),
      await dead.delete(`/api/auth/sessions/${id}`),
      await dead.delete("/api/auth/sessions"),
    ]) {
      expect([answer.status, answer.body]).toMatchObject([401, { code: "UNAUTHENTICATED" }]);
    }
    expect(await isSignedIn(app.root)).toBe(true);
  });

  it("sessions are not available until an initial password was changed", async () => {
    const admin = await app.account("admin");
    const { data } = await app.root.post(`/api/users/${admin.id}/reset-password`);
    const due = await app.signIn(admin.username, data.newPassword);
    expect((await due.get("/api/auth/sessions")).status).toBe(403);
    expect((await due.delete("/api/auth/sessions")).status).toBe(403);
  });
});

describe("ending other sessions", () => {
  it.each(["one", "all"])("(%s) closes their sockets within a second and delivers nothing more", async (how) => {
    const other = await app.signIn("root");
    const otherId = await currentOf(other);
    await using kept = await follow(socketUrl(), tokenOf(app.root));
    await using watching = await follow(socketUrl(), tokenOf(other));
    await using idle = await connect(socketUrl(), tokenOf(other));
    const answer = await app.root.delete(how === "one" ? `/api/auth/sessions/${otherId}` : "/api/auth/sessions");
    const started = performance.now();
    expect(answer.status).toBe(200);
    await app.root.put("/api/system-config", { show_network_info_to_client: true });
    expect((await watching.closed).code).toBe(4401);
    expect((await idle.closed).code).toBe(4401);
    expect(performance.now() - started).toBeLessThan(1_000);
    expect(watching.events.map(({ event }) => event.type)).toEqual(["stream.ready"]);
    await kept.until(({ events }) => events.some(({ event }) => event.type === "settings.changed"));
  });

  it("ends a session that refreshes itself at the same time", async () => {
    const other = await app.signIn("root");
    const isRefreshed = Promise.withResolvers<void>();
    const running = (async () => {
      let { token } = other;
      for (let count = 0; token !== null && count < 500; count++) {
        const answer = await restClient(app.url, token).post("/api/auth/refresh");
        token = answer.status === 200 ? String(answer.data.token) : null;
        isRefreshed.resolve();
      }
      return token;
    })();
    await isRefreshed.promise;
    expect(await endOthers(app.root)).toBe(1);
    expect(await running).toBeNull();
    expect(await sessionsOf(app.root)).toHaveLength(1);
  });

  it("ends a session that changes the password at the same time and would end all the others", async () => {
    const account = await app.account("client");
    const other = await app.signIn(account.username);
    // A password change hashes twice, which leaves time for the race.
    const changing = other.put("/api/auth/password", { currentPassword: PASSWORD, newPassword: "Another2Horse" });
    expect(await endOthers(account)).toBe(1);
    const { status, body } = await changing;
    expect([status, body]).toMatchObject([401, { code: "UNAUTHENTICATED" }]);
    expect(await isSignedIn(account)).toBe(true);
    await app.signIn(account.username, PASSWORD);
  });

  it("leaves exactly one session when two end each other at once", async () => {
    const other = await app.signIn("root");
    const answers = await Promise.all([app.root, other].map((each) => each.delete("/api/auth/sessions")));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect(await app.database.query("select id from sessions")).toHaveLength(1);
  });
});
