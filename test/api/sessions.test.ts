import { describe, expect, it } from "vitest";
import type { Role } from "../../src/shared/roles.ts";
import { PASSWORD, useApp } from "../harness/app.ts";
import { movableClock } from "../harness/movable-clock.ts";
import { restClient } from "../harness/rest.ts";

const clock = movableClock();
const app = useApp({ overrides: { clock }, config: { session: { ttl: 3600, idle: 600 } } });
const ROLES: readonly Role[] = ["super_admin", "admin", "client"];

const withToken = (token: string) => restClient(app.url, token);
const meStatus = async (token: string | null) => (await restClient(app.url, token).get("/api/auth/me")).status;

describe("sessions", () => {
  it.each(ROLES)("a session of a %s returns its user, refreshes and signs out", async (role) => {
    const account = await app.account(role);
    const me = await account.get("/api/auth/me");
    expect(me.status).toBe(200);
    expect(me.data).toMatchObject({ id: account.id, username: account.username, role, mustChangePassword: false });
    const refreshed = await account.post("/api/auth/refresh");
    expect(refreshed.status).toBe(200);
    expect(refreshed.data.user).toEqual(me.data);
    const fresh = withToken(refreshed.data.token);
    const signedOut = await fresh.post("/api/auth/logout");
    expect([signedOut.status, signedOut.data]).toEqual([200, {}]);
    expect((await fresh.get("/api/auth/me")).status).toBe(401);
  });

  it.each([null, "", "x", "a".repeat(43), "%00", "Bearer"])("rejects the token %j", async (token) => {
    for (const [method, path] of [
      ["GET", "/api/auth/me"],
      ["PUT", "/api/auth/password"],
      ["POST", "/api/auth/refresh"],
      ["POST", "/api/auth/logout"],
    ] as const) {
      const answer = await restClient(app.url, token).raw(method, path);
      expect(answer.status).toBe(401);
      expect(answer.body).toMatchObject({ code: "UNAUTHENTICATED", message: "认证失败，请重新登录" });
    }
  });

  it("ignores a token in the query string", async () => {
    expect((await app.anonymous.get(`/api/auth/me?token=${app.root.token}`)).status).toBe(401);
    expect((await app.anonymous.get(`/api/auth/me?access_token=${app.root.token}`)).status).toBe(401);
  });

  it("signing out keeps the user's other sessions", async () => {
    const other = await app.signIn("root");
    await app.root.post("/api/auth/logout");
    expect(await meStatus(app.root.token)).toBe(401);
    expect(await meStatus(other.token)).toBe(200);
  });

  it("a session expires after its idle timeout and stays alive while it is used", async () => {
    const other = await app.signIn("root");
    for (let count = 0; count < 4; count++) {
      clock.forward(400);
      expect(await meStatus(app.root.token)).toBe(200);
    }
    expect(await meStatus(other.token)).toBe(401);
    clock.forward(601);
    expect(await meStatus(app.root.token)).toBe(401);
  });

  it("a session expires after its absolute timeout, however often it is used or refreshed", async () => {
    let token = app.root.token ?? "";
    for (let count = 0; count < 8; count++) {
      clock.forward(440);
      token = (await withToken(token).post("/api/auth/refresh")).data.token;
      expect(await meStatus(token)).toBe(200);
    }
    clock.forward(81);
    expect(await meStatus(token)).toBe(401);
  });

  it("the last use is stored at most once a minute", async () => {
    const lastUse = async () => (await app.database.query("select last_used_at from sessions"))[0]?.last_used_at;
    const before = await lastUse();
    clock.forward(30);
    await app.root.get("/api/auth/me");
    expect(await lastUse()).toBe(before);
    clock.forward(31);
    await app.root.get("/api/auth/me");
    expect(Number(await lastUse())).toBeGreaterThan(Number(before) + 60);
  });
});

describe("refreshing a session", () => {
  it("invalidates the old token at once", async () => {
    const { data } = await app.root.post("/api/auth/refresh");
    expect(data.token).not.toBe(app.root.token);
    expect(await meStatus(app.root.token)).toBe(401);
    expect((await app.root.post("/api/auth/refresh")).status).toBe(401);
    expect(await meStatus(data.token)).toBe(200);
  });

  it("succeeds for exactly one of twenty concurrent refreshes", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => app.root.post("/api/auth/refresh")));
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(19);
    expect(await meStatus(won[0]?.data.token)).toBe(200);
    expect(await app.database.query("select id from sessions")).toHaveLength(1);
  });

  it("leaves no usable session when the user is disabled at the same time", async () => {
    for (let round = 0; round < 5; round++) {
      const client = await app.account("client");
      const [refreshed] = await Promise.all([
        client.post("/api/auth/refresh"),
        app.root.put(`/api/users/${client.id}`, { isActive: false }),
      ]);
      expect([200, 401]).toContain(refreshed.status);
      expect(await app.database.query("select id from sessions where user_id = $1", [client.id])).toEqual([]);
    }
  });
});

describe("ended sessions", () => {
  it("sessions of a disabled user stay ended when the user is enabled again", async () => {
    const client = await app.account("client");
    await app.root.put(`/api/users/${client.id}`, { isActive: false });
    expect(await meStatus(client.token)).toBe(401);
    await app.root.put(`/api/users/${client.id}`, { isActive: true });
    expect(await meStatus(client.token)).toBe(401);
    expect((await client.post("/api/auth/refresh")).status).toBe(401);
  });

  it("sessions of a deleted user are rejected at the next call", async () => {
    const client = await app.account("client");
    await app.root.delete(`/api/users/${client.id}`);
    expect(await meStatus(client.token)).toBe(401);
  });

  it("a sign-in with the old password that races with a password reset leaves no usable session", async () => {
    for (let round = 0; round < 4; round++) {
      const client = await app.account("client");
      const credentials = { username: client.username, password: PASSWORD };
      const [reset, ...signIns] = await Promise.all([
        app.root.post(`/api/users/${client.id}/reset-password`),
        ...Array.from({ length: 6 }, () => app.anonymous.post("/api/auth/login", credentials)),
      ]);
      expect(reset.status).toBe(200);
      for (const { data } of signIns) expect(await meStatus(data.token ?? "none")).toBe(401);
    }
  });
});
