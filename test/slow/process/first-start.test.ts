import { once } from "node:events";
import { mkdirSync, readdirSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Migration } from "@mikro-orm/migrations";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DATABASE, MIGRATIONS } from "../../../mikro-orm.config.ts";
import { migrate } from "../../../src/server/platform/database/migrate.ts";
import { ADVISORY_LOCKS } from "../../../src/server/platform/database/sql.ts";
import { holdLock } from "../../harness/hold-lock.ts";
import { portOf } from "../../harness/ports.ts";
import {
  listening,
  type Program,
  startServer,
  startServerProcess,
} from "../../harness/programs.ts";
import { assertOk } from "../../harness/rest.ts";
import { signIn } from "../../harness/server-fixture.ts";
import { silentLog } from "../../harness/silent-log.ts";
import { openTestStorage, TEST_SERVER_URL, type TestStorage } from "../../harness/storage.ts";
import { STOP_LIMIT, within } from "../../harness/time-limits.ts";

const PASSWORD_LINE = /初始密码：(\S+?)（/;
const CHOSEN = "Another1Horse";
const OTHER = { ADMIN_USERNAME: "chief", ADMIN_PASSWORD: "Different2Horse" };

/** Longer than any limit that calls are held to. */
class Slow extends Migration {
  override up(): void {
    this.addSql("select pg_sleep(21)");
  }
}

/** Each test goes on with what the one before left. */
describe("on one empty data directory", () => {
  let storage: TestStorage;
  let dataDir: string;
  beforeAll(async () => {
    storage = await openTestStorage({ bare: true, server: null });
    dataDir = storage.env.DATA_DIR ?? "";
  });
  afterAll(() => storage?.[Symbol.asyncDispose]());

  test("SIGTERM while the embedded database is being made leaves nothing half made", async () => {
    await using server = startServerProcess({ ...storage.env, LOG_LEVEL: "info" });

    await server.line(/creating the embedded database/);

    expect(await server.kill("SIGTERM")).toEqual({ code: 0, signal: null });
    expect(server.output.slice(1)).toEqual([
      expect.stringMatching(/"signal":"SIGTERM","msg":"stopping"/),
    ]);
    expect(readdirSync(dataDir).filter((name) => name.startsWith("pg"))).toEqual([]);
  });

  test("of two first starts at once one is refused; the other prints a password once", async () => {
    await using one = startServerProcess({ ...storage.env, LOG_LEVEL: "warn" });
    await using other = startServerProcess({ ...storage.env, LOG_LEVEL: "warn" });
    const loser = await Promise.race([one.exited.then(() => one), other.exited.then(() => other)]);
    expect(await loser.exited).toEqual({ code: 1, signal: null });
    expect(loser.output).toEqual([expect.stringContaining(`数据目录 ${dataDir} 正在被`)]);

    const server = await listening(loser === one ? other : one);
    const password = printedPassword(server);
    expect(server.output.filter((line) => line.includes(password))).toHaveLength(1);
    const root = await signIn(server.url, { username: "admin", password });
    expect((await root.get("/api/auth/me")).data).toMatchObject({
      role: "super_admin",
      mustChangePassword: true,
    });
    await assertOk(
      root.put("/api/auth/password", { currentPassword: password, newPassword: CHOSEN }),
    );
    expect(server.output.join("\n")).not.toContain(CHOSEN);

    expect(readdirSync(dataDir).filter((name) => /^(pg|encryption)/.test(name))).toEqual([
      "encryption.key",
      "pg",
    ]);
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    for (const name of ["encryption.key", "lock.sqlite", "lock.pid"]) {
      expect(statSync(join(dataDir, name)).mode & 0o777, name).toBe(0o600);
    }
  });

  test("the next start prints and applies no password, and leaves no socket or lock", async () => {
    await using server = await startServer({
      ...storage.env,
      ...OTHER,
      NODE_ENV: "production",
      LOG_LEVEL: "warn",
    });
    expect(server.output.join("\n")).not.toContain("密码");
    expect(server.output).toContainEqual(
      expect.stringContaining("without DATABASE_URL: using the embedded database"),
    );
    const root = await signIn(server.url, { username: "admin", password: CHOSEN });
    expect((await root.get("/api/users")).data.pagination.total).toBe(1);
    expect(await server.kill("SIGTERM")).toEqual({ code: 0, signal: null });
    expect(readdirSync(dataDir).sort()).toEqual(["encryption.key", "lock.sqlite", "pg"]);
  });
});

test("a start is not refused while another start is reading its lock", async () => {
  await using storage = await openTestStorage({ bare: true, server: null });
  const dataDir = storage.env.DATA_DIR ?? "";
  mkdirSync(dataDir, { recursive: true });
  // As far as a start comes before it is refused; in step, both came that far.
  using other = new DatabaseSync(join(dataDir, "lock.sqlite"));
  other.exec("begin; select * from sqlite_schema");

  await using server = await startServer(storage.env);

  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
});

test("a first start that fails after the account was made has printed its password", async () => {
  await using storage = await openTestStorage({ bare: true });
  const settings = { ...storage.env, LOG_LEVEL: "info" };
  await using occupant = createServer().listen(0, "127.0.0.1");
  await once(occupant, "listening");
  await using failed = startServerProcess({ ...settings, PORT: String(portOf(occupant)) });
  expect(await failed.exited).toEqual({ code: 1, signal: null });
  expect(failed.stderr).toEqual([expect.stringMatching(/^PORT, HOST: .*EADDRINUSE/)]);

  await using server = await startServer(settings);
  await signIn(server.url, { username: "admin", password: printedPassword(failed) });
  expect(server.output.filter((line) => /"level":[456]0/.test(line))).toEqual([]);
});

test.skipIf(TEST_SERVER_URL === null)(
  "SIGTERM while another process migrates does not wait for that",
  async () => {
    await using storage = await openTestStorage({ bare: true });
    await using _lock = await holdLock(
      storage,
      `select pg_advisory_xact_lock(${ADVISORY_LOCKS.migration})`,
    );
    await using server = startServerProcess({ ...storage.env, LOG_LEVEL: "info" });
    await server.line(/another process migrates the database/);
    const began = performance.now();

    expect(await server.kill("SIGTERM")).toEqual({ code: 0, signal: null });
    expect(performance.now() - began).toBeLessThan(within(STOP_LIMIT));
    expect(server.output.slice(1)).toEqual([
      expect.stringMatching(/"signal":"SIGTERM","msg":"stopping"/),
    ]);
  },
);

test.skipIf(TEST_SERVER_URL === null)(
  "a migration that takes its time is not cut",
  { timeout: 90_000 },
  async () => {
    await using storage = await openTestStorage({ server: TEST_SERVER_URL });
    const url = storage.env.DATABASE_URL ?? "";
    const migrations = [...MIGRATIONS, { name: "Slow", class: Slow }];
    const definition = { ...DATABASE, migrations };
    await migrate({ connection: { kind: "server", url }, definition, log: silentLog });

    const rows = await storage.query("select name from schema_migrations order by id");

    expect(rows.map(({ name }) => name)).toEqual(migrations.map(({ name }) => name));
  },
);

/** It is printed before the address. */
function printedPassword({ output }: Program): string {
  const [password = "missing"] = output.flatMap((line) => PASSWORD_LINE.exec(line)?.[1] ?? []);
  return password;
}
