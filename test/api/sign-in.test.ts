import argon2 from "argon2";
import { describe, expect, it } from "vitest";
import { createLog } from "../../src/server/core/log.ts";
import { PASSWORD, useApp } from "../harness/app.ts";

const lines: string[] = [];
const log = createLog({ level: "info", pretty: false, destination: { write: (line) => void lines.push(line) } });
const app = useApp({ overrides: { log, passwordCost: undefined } });

const signIn = (username: unknown, password: unknown) => app.anonymous.post("/api/auth/login", { username, password });

describe("signing in", () => {
  it("returns a token and the user, and nothing of the password", async () => {
    const client = await app.account("client", { username: "Wang_1" });
    const { status, data, body } = await signIn("Wang_1", PASSWORD);
    expect(status).toBe(200);
    expect(data.token).toMatch(/^[\w-]{43}$/);
    expect(data.user).toEqual({
      id: client.id,
      username: "Wang_1",
      name: "Wang_1的姓名",
      role: "client",
      email: null,
      phone: null,
      isActive: true,
      adminId: null,
      admin: null,
      createdAt: expect.any(Number),
      mustChangePassword: false,
    });
    expect(JSON.stringify(body)).not.toMatch(/argon2|hash/i);
  });

  it("compares the username case-insensitively and the password case-sensitively", async () => {
    await app.account("client", { username: "Wang_1" });
    expect((await signIn("wANG_1", PASSWORD)).status).toBe(200);
    expect((await signIn("Wang_1", PASSWORD.toUpperCase())).status).toBe(401);
    expect((await signIn("Wang_1 ", PASSWORD)).status).toBe(401);
    expect((await signIn("Wang_1", `${PASSWORD} `)).status).toBe(401);
  });

  it("gives the same error for an unknown username, a wrong password and a disabled account", async () => {
    const client = await app.account("client", { username: "wang" });
    await app.root.put(`/api/users/${client.id}`, { isActive: false });
    const answers = await Promise.all([
      signIn("nobody_here", PASSWORD),
      signIn("没有这个人", PASSWORD),
      signIn("root", "Wrong1Password"),
      signIn("wang", PASSWORD),
      signIn("wang", "Wrong1Password"),
    ]);
    for (const { status, body } of answers) {
      expect(status).toBe(401);
      expect(body).toEqual({ message: "用户名或密码错误", code: "LOGIN_FAILED", requestId: expect.any(String) });
    }
  });

  it.each([
    [{ username: "", password: "x" }, "username", "用户名不能为空"],
    [{ username: "root", password: "" }, "password", "密码不能为空"],
    [{ password: "x" }, "username", "用户名不能为空"],
    [{ username: "root", password: null }, "password", "密码不能为空"],
    [{ username: "root", password: 1 }, "password", "请输入文本"],
    [{ username: "ro\0ot", password: "x" }, "username", "包含无效字符"],
    [{ username: "root", password: "\ud800" }, "password", "包含无效字符"],
  ])("rejects %j with an error on its field", async (body, field, message) => {
    const answer = await app.anonymous.post("/api/auth/login", body);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: "INVALID_INPUT", message, errors: [{ field, message }] });
  });

  it("stores neither the token nor the password in the clear", async () => {
    const { data } = await signIn("root", PASSWORD);
    const stored = await app.database.query("select s::text || u::text as row from sessions s, users u");
    expect(stored.length).toBeGreaterThan(0);
    for (const { row } of stored) {
      expect(row).not.toContain(data.token);
      expect(row).not.toContain(PASSWORD);
    }
  });

  it.each([
    ["weaker", { memoryCost: 8_192, timeCost: 1 }],
    ["stronger", { memoryCost: 20_480, timeCost: 3 }],
  ])(
    "rehashes a password hash of %s parameters and accepts ten concurrent right passwords meanwhile",
    async (_how, cost) => {
      const other = await argon2.hash(PASSWORD, { type: argon2.argon2id, parallelism: 1, ...cost });
      await app.database.query("update users set password_hash = $1", [other]);
      const answers = await Promise.all(Array.from({ length: 10 }, () => signIn("root", PASSWORD)));
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
      const [user] = await app.database.query("select password_hash from users");
      expect(user?.password_hash).toMatch(/m=19456,p=1,t=2/);
      expect((await signIn("root", PASSWORD)).status).toBe(200);
    },
  );

  it("logs success and failure without password, token, or a username that may be a mistyped password", async () => {
    lines.length = 0;
    const { data } = await signIn("root", PASSWORD);
    await signIn("Root", "Canary1Wrong");
    await signIn("Canary2AsName", "x");
    const text = lines.join("");
    expect(text).not.toMatch(/Canary/);
    expect(text).not.toContain(PASSWORD);
    expect(text).not.toContain(data.token);
    const entries = lines.map((line) => JSON.parse(line));
    const request = { ip: expect.any(String), requestId: expect.any(String) };
    expect(entries).toContainEqual(
      expect.objectContaining({ msg: "signed in", username: "root", userId: app.root.id, ...request }),
    );
    expect(entries).toContainEqual(expect.objectContaining({ msg: "sign-in failed", username: "root", ...request }));
    expect(entries).toContainEqual(
      expect.objectContaining({ msg: "sign-in failed", nameHash: expect.stringMatching(/^[0-9a-f]{12}$/), ...request }),
    );
  });
});
