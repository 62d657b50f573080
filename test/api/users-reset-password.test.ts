import { describe, expect, it } from "vitest";
import { NewPassword } from "../../src/shared/passwords.ts";
import { PASSWORD, useApp } from "../harness/app.ts";

const app = useApp();
const LETTERS_AND_DIGITS = 62;
const AMBIGUOUS_CHARACTERS = 7;
const MISSING = "0198a000-0000-7000-8000-000000000000";

describe("resetting a password", () => {
  it.each(["super_admin", "admin", "client"] as const)(
    "resetting it for a %s ends all sessions and returns a new password",
    async (role) => {
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
    },
  );

  it("generates unique passwords of at least 128 bits that are easy to read aloud", async () => {
    const { id } = await app.account("client");
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => app.root.post(`/api/users/${id}/reset-password`)),
    );
    const passwords = answers.map(({ data }) => data.newPassword);
    expect(new Set(passwords).size).toBe(20);
    for (const password of passwords) {
      expect(NewPassword.safeParse(password).success).toBe(true);
      expect(password).toMatch(/^[^0O1Iilo]+$/);
      expect(password.length * Math.log2(LETTERS_AND_DIGITS - AMBIGUOUS_CHARACTERS)).toBeGreaterThan(128);
    }
  });

  it("only a super admin may reset a password", async () => {
    const admin = await app.account("admin");
    const client = await app.account("client", { adminId: admin.id });
    for (const account of [admin, client]) {
      for (const id of [client.id, MISSING]) {
        expect((await account.post(`/api/users/${id}/reset-password`)).status).toBe(403);
      }
    }
    expect((await app.anonymous.post(`/api/users/${client.id}/reset-password`)).status).toBe(401);
    expect((await client.get("/api/auth/me")).status).toBe(200);
  });

  it("a super admin cannot reset the own password", async () => {
    const answer = await app.root.post(`/api/users/${app.root.id}/reset-password`);
    expect([answer.status, answer.body]).toMatchObject([
      409,
      { code: "CONFLICT", message: "不能重置自己的密码，请使用修改密码" },
    ]);
    expect((await app.root.get("/api/auth/me")).status).toBe(200);
  });

  it("returns 404 for a missing user and 400 for a body with any field", async () => {
    expect((await app.root.post(`/api/users/${MISSING}/reset-password`)).status).toBe(404);
    const { id } = await app.account("client");
    expect((await app.root.post(`/api/users/${id}/reset-password`, { newPassword: "Chosen1Horse" })).status).toBe(400);
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
