import argon2 from "argon2";
import { describe, expect, it, onTestFinished } from "vitest";
import { DATABASE } from "../../mikro-orm.config.ts";
import { ensureFirstAdmin } from "../../src/server/modules/auth/first-admin.ts";
import { createPasswordHasher } from "../../src/server/modules/auth/password-hasher.ts";
import { systemClock } from "../../src/server/platform/clock.ts";
import { openOrm } from "../../src/server/platform/database/open.ts";
import { createLocalBus } from "../../src/server/platform/local-bus.ts";
import { useApp } from "../harness/app.ts";
import { useLogLines } from "../harness/log-lines.ts";
import { PASSWORD } from "../harness/root-user.ts";
import { silentLog } from "../harness/silent-log.ts";
import { WEAK_HASHES } from "../harness/start-app.ts";

describe("signing in", () => {
  const { lines, log } = useLogLines();
  const app = useApp({ overrides: { log, passwordCost: undefined } });

  const signIn = (username: unknown, password: unknown) =>
    app.anonymous.post("/api/auth/login", { username, password });

  it("returns a token and the user, and stores neither password nor token in the clear", async () => {
    const client = await app.account("client", { username: "Wang_1" });
    const { status, data, body } = await signIn("Wang_1", PASSWORD);
    expect(status).toBe(200);
    expect(data.token).toMatch(/^[\w-]{43}$/);
    const person = {
      id: client.id,
      username: "Wang_1",
      name: "Wang_1的姓名",
      email: null,
      phone: null,
    };
    const account = {
      role: "client",
      isActive: true,
      mustChangePassword: false,
      secondFactorEnabled: false,
      note: null,
      createdAt: expect.any(Number),
    };
    expect(data.user).toEqual({ ...person, ...account, adminId: null, admin: null });
    expect(JSON.stringify(body)).not.toMatch(/argon2|hash/i);
    const stored = await app.database.query(
      "select s::text || u::text as row from sessions s, users u",
    );
    expect(JSON.stringify(stored)).toContain("Wang_1");
    for (const secret of [data.token, PASSWORD])
      expect(JSON.stringify(stored)).not.toContain(secret);
  });

  it("compares the username case-insensitively and the password case-sensitively", async () => {
    await app.account("client", { username: "Wang_1" });

    expect((await signIn("wANG_1", PASSWORD)).status).toBe(200);
    expect((await signIn("Wang_1", PASSWORD.toUpperCase())).status).toBe(401);
    expect((await signIn("Wang_1", `${PASSWORD} `)).status).toBe(401);
  });

  it("takes a username with blanks and invisible characters around it", async () => {
    await app.account("client", { username: "Wang_1" });

    const answers = [
      await signIn("Wang_1 ", PASSWORD),
      await signIn("\t\u3000Wang_1\n", PASSWORD),
      await signIn("\ufeffWang_1\u200b", PASSWORD),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it("gives the same error for an unknown username, wrong password, disabled account", async () => {
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
      expect(body).toEqual({
        message: "用户名或密码错误",
        code: "LOGIN_FAILED",
        requestId: expect.any(String),
      });
    }
  });

  it("rehashes a password hash of weaker parameters and accepts ten sign-ins meanwhile", async () => {
    const weaker = await argon2.hash(PASSWORD, {
      type: argon2.argon2id,
      memoryCost: 8_192,
      timeCost: 1,
    });
    await app.database.query("update users set password_hash = $1", [weaker]);
    const answers = await Promise.all(Array.from({ length: 10 }, () => signIn("root", PASSWORD)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    const [user] = await app.database.query("select password_hash from users");
    expect(user?.password_hash).toMatch(/m=19456,p=1,t=2/);
    expect((await signIn("root", PASSWORD)).status).toBe(200);
  });

  it("logs success and failure without what may be a password or token", async () => {
    lines.length = 0;
    const { data } = await signIn("root", PASSWORD);
    await signIn("Root", "Marker1Wrong");
    await signIn("Marker2AsName", "x");
    const text = lines.join("");
    expect(text).not.toMatch(/Marker/);
    expect(text).not.toContain(PASSWORD);
    expect(text).not.toContain(data.token);
    const entries = lines
      .map((line) => JSON.parse(line))
      .filter(({ msg, audit }) => msg === "sign-in failed" || audit?.outcome === "ok");
    const request = { ip: expect.any(String), requestId: expect.any(String) };
    expect(entries).toMatchObject([
      { msg: "audit", audit: { action: "auth.login", actorId: app.root.id, ...request } },
      { msg: "sign-in failed", username: "root", ...request },
      { msg: "sign-in failed", ...request },
    ]);
  });
});

describe("the first super admin", () => {
  const app = useApp();

  async function replica() {
    const orm = await openOrm({
      connection: app.database.connection,
      definition: DATABASE,
      log: silentLog,
    });
    onTestFinished(() => orm.close());
    const passwords = createPasswordHasher({ concurrency: 2, maxWaiting: 10, cost: WEAK_HASHES });
    return {
      em: orm.em.fork(),
      bus: createLocalBus(),
      passwords,
      clock: systemClock,
      log: silentLog,
    };
  }

  const byBoss = { username: "boss", password: null };

  it("is not created while any super admin exists, even a disabled one", async () => {
    await app.account("client", { username: "Boss" });
    await app.database.query("update users set is_active = false");
    expect(await ensureFirstAdmin(await replica(), byBoss)).toBeNull();
    await app.database.query("delete from users where role = 'super_admin'");
    await expect(ensureFirstAdmin(await replica(), byBoss)).rejects.toThrow(/ADMIN_USERNAME/);
  });

  it("is created once by replicas that start together", async () => {
    await app.database.query("delete from users");
    const create = async (n: number) =>
      ensureFirstAdmin(await replica(), { username: `boss${n}`, password: null });
    const made = await Promise.all(Array.from({ length: 6 }, (_, n) => create(n)));
    expect(made.filter((admin) => admin !== null)).toHaveLength(1);
    const stored = await app.database.query(
      "select must_change_password from users where role = 'super_admin'",
    );
    expect(stored).toEqual([{ must_change_password: true }]);
  });
});
