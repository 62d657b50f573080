import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { listening, startServer, startServerProcess } from "../../harness/programs.ts";
import { restClient } from "../../harness/rest.ts";
import { signIn, TEST_LIMIT, takePort } from "../../harness/stage.ts";
import { openTestStorage } from "../../harness/storage.ts";

vi.setConfig({ testTimeout: TEST_LIMIT });

const PASSWORD_LINE = /初始密码：(\S+?)（/;
const CHOSEN = "Another1Horse";

test("the first start prints a random password once; it works, and opens nothing but its own change", async () => {
  await using storage = await openTestStorage({ bare: true });
  const settings = { ...storage.env, LOG_LEVEL: "info" };
  {
    await using server = await startServer(settings);
    expect(Number(new URL(server.url).port)).toBeGreaterThan(0);
    // The password is printed before the address.
    const [password = "missing"] = server.output.flatMap((line) => PASSWORD_LINE.exec(line)?.[1] ?? []);
    expect(server.output.filter((line) => line.includes(password))).toHaveLength(1);

    const root = await signIn(server.url, { username: "admin", password });
    expect((await root.get("/api/auth/me")).data).toMatchObject({ role: "super_admin", mustChangePassword: true });
    for (const path of ["/api/users", "/api/hosts", "/api/renewals", "/api/system-config", "/api/hosts/configs/list"]) {
      expect((await root.get(path)).status, path).toBe(403);
    }
    const changed = await root.put("/api/auth/password", { currentPassword: password, newPassword: CHOSEN });
    expect(changed.status, JSON.stringify(changed.body)).toBe(200);
    expect((await root.get("/api/users")).status).toBe(200);
    expect(server.output.join("\n")).not.toContain(CHOSEN);
  }
  await using again = await startServer({ ...settings, ADMIN_PASSWORD: "" });
  expect(again.output.join("\n")).not.toContain("密码");
  const root = await signIn(again.url, { username: "admin", password: CHOSEN });
  expect((await root.get("/api/users")).data.pagination.total).toBe(1);
});

test("a password that was given is not printed, need not be changed, and is not applied to an account that exists", async () => {
  await using storage = await openTestStorage();
  const settings = { ...storage.env, ADMIN_USERNAME: "boss", LOG_LEVEL: "debug" };
  {
    await using server = await startServer({ ...settings, ADMIN_PASSWORD: CHOSEN });
    expect(server.output.join("\n")).not.toContain(CHOSEN);
    const root = await signIn(server.url, { username: "boss", password: CHOSEN });
    expect((await root.get("/api/auth/me")).data.mustChangePassword).toBe(false);
    expect((await root.get("/api/users")).status).toBe(200);
  }
  await using again = await startServer({ ...settings, ADMIN_PASSWORD: "Different2Horse", ADMIN_USERNAME: "chief" });
  const login = (username: string, password: string) =>
    restClient(again.url).post("/api/auth/login", { username, password });
  expect((await login("boss", CHOSEN)).status).toBe(200);
  expect((await login("boss", "Different2Horse")).status).toBe(401);
  expect((await login("chief", "Different2Horse")).status).toBe(401);
});

test("two first starts at once on one empty directory: one makes key, database and account, the other is refused", async () => {
  await using storage = await openTestStorage({ bare: true, server: null });
  const settings = { ...storage.env, LOG_LEVEL: "warn" };
  await using one = startServerProcess(settings);
  await using other = startServerProcess(settings);
  const loser = await Promise.race([one.exited.then(() => one), other.exited.then(() => other)]);
  const winner = loser === one ? other : one;
  expect(await loser.exited).toEqual({ code: 1, signal: null });
  expect(loser.output).toEqual([expect.stringContaining(`数据目录 ${storage.env.DATA_DIR} 正在被`)]);

  const server = await listening(winner);
  await signIn(server.url, { username: "admin", password: await winner.line(PASSWORD_LINE) });
  const dataDir = storage.env.DATA_DIR ?? "";
  const left = readdirSync(dataDir).filter((name) => /^(pg|encryption)/.test(name));
  expect(left.sort()).toEqual(["encryption.key", "pg"]);
  expect(statSync(dataDir).mode & 0o777).toBe(0o700);
  for (const name of ["encryption.key", "lock.sqlite", "lock.pid"]) {
    expect(statSync(join(dataDir, name)).mode & 0o777, name).toBe(0o600);
  }
});

test("a first start that fails after the account was made has told its password: the port is taken", async () => {
  await using storage = await openTestStorage({ bare: true });
  const settings = { ...storage.env, ADMIN_PASSWORD: "" };
  using taken = await takePort();
  await using failed = startServerProcess({ ...settings, PORT: taken.port });
  expect(await failed.exited).toEqual({ code: 1, signal: null });
  await using server = await startServer(settings);
  expect(server.output.join("\n")).not.toContain("密码");
  const [password = "missing"] = failed.output.flatMap((line) => PASSWORD_LINE.exec(line)?.[1] ?? []);
  await signIn(server.url, { username: "admin", password });
});
