import { describe, expect, it } from "vitest";
import type { Role } from "../../src/shared/roles.ts";
import { PASSWORD, useApp } from "../harness/app.ts";
import { MISSING } from "../harness/data.ts";
import { restClient } from "../harness/rest.ts";

const NEW_PASSWORD = "Another2Horse";
const ROLES: readonly Role[] = ["super_admin", "admin", "client"];
const app = useApp();

const signInStatus = async (username: string, password: string) =>
  (await app.anonymous.post("/api/auth/login", { username, password })).status;

describe("changing one's own password", () => {
  it.each(ROLES)("changes the password of a %s, keeps this session and ends the others", async (role) => {
    const account = await app.account(role);
    const other = await app.signIn(account.username);
    const answer = await account.put("/api/auth/password", { currentPassword: PASSWORD, newPassword: NEW_PASSWORD });
    expect([answer.status, answer.data]).toEqual([200, {}]);
    expect((await account.get("/api/auth/me")).status).toBe(200);
    expect((await other.get("/api/auth/me")).status).toBe(401);
    expect(await signInStatus(account.username, PASSWORD)).toBe(401);
    expect(await signInStatus(account.username, NEW_PASSWORD)).toBe(200);
  });

  it("requires the current password, and a wrong one does not sign the user out", async () => {
    const body = { currentPassword: "Wrong1Password", newPassword: NEW_PASSWORD };
    const answer = await app.root.put("/api/auth/password", body);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: "WRONG_PASSWORD", message: "当前密码不正确" });
    expect(await signInStatus("root", PASSWORD)).toBe(200);
  });

  it("allows ten wrong guesses in five minutes, then rejects the right password too", async () => {
    const change = async (currentPassword: string) =>
      (await app.root.put("/api/auth/password", { currentPassword, newPassword: NEW_PASSWORD })).status;
    for (let count = 0; count < 10; count++) expect(await change("Wrong1Password")).toBe(400);
    expect(await change("Wrong1Password")).toBe(429);
    expect(await change(PASSWORD)).toBe(429);
    expect(await signInStatus("root", PASSWORD)).toBe(200);
  });

  it("accepts 128 characters of any kind and compares every one of them", async () => {
    const newPassword = `Aa1 密码😀${"x".repeat(120)}y`;
    expect([...newPassword]).toHaveLength(128);
    const longer = await app.root.put("/api/auth/password", {
      currentPassword: PASSWORD,
      newPassword: `${newPassword}z`,
    });
    expect(longer.status).toBe(400);
    await app.root.put("/api/auth/password", { currentPassword: PASSWORD, newPassword });
    expect(await signInStatus("root", newPassword)).toBe(200);
    expect(await signInStatus("root", `${newPassword.slice(0, -1)}z`)).toBe(401);
  });

  it("a session whose password was reset may only change the password", async () => {
    const admin = await app.account("admin");
    const { data } = await app.root.post(`/api/users/${admin.id}/reset-password`);
    const signedIn = await app.anonymous.post("/api/auth/login", {
      username: admin.username,
      password: data.newPassword,
    });
    expect(signedIn.data.user.mustChangePassword).toBe(true);
    const session = restClient(app.url, signedIn.data.token);
    expect((await session.get("/api/auth/me")).status).toBe(200);
    const refused = await session.get("/api/users");
    expect([refused.status, refused.body]).toMatchObject([403, { message: "请先修改初始密码" }]);
    const body = { currentPassword: data.newPassword, newPassword: NEW_PASSWORD };
    expect((await session.put("/api/auth/password", body)).status).toBe(200);
    expect((await session.get("/api/users")).status).toBe(200);
    expect((await session.get("/api/auth/me")).data.mustChangePassword).toBe(false);
  });
});

describe("resetting a password", () => {
  it.each(ROLES)("resetting it for a %s ends all sessions and returns a new password", async (role) => {
    const account = await app.account(role);
    const second = await app.signIn(account.username);
    const answer = await app.root.post(`/api/users/${account.id}/reset-password`);
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.data)).toEqual(["newPassword"]);
    for (const session of [account, second]) expect((await session.get("/api/auth/me")).status).toBe(401);
    const old = await app.anonymous.post("/api/auth/login", { username: account.username, password: PASSWORD });
    expect(old.status).toBe(401);
    const again = await app.signIn(account.username, answer.data.newPassword);
    expect((await again.get("/api/auth/me")).data.mustChangePassword).toBe(true);
  });

  it("returns 404 for a missing user", async () => {
    expect((await app.root.post(`/api/users/${MISSING}/reset-password`)).status).toBe(404);
  });

  it("does not enable a disabled account", async () => {
    const client = await app.account("client");
    await app.root.put(`/api/users/${client.id}`, { isActive: false });
    const { data } = await app.root.post(`/api/users/${client.id}/reset-password`);
    const answer = await app.anonymous.post("/api/auth/login", {
      username: client.username,
      password: data.newPassword,
    });
    expect([answer.status, answer.body]).toMatchObject([401, { code: "LOGIN_FAILED" }]);
  });
});
