import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { hostTotal, providerTotal } from "../../harness/calls.ts";
import { now } from "../../harness/data.ts";
import { holdLock } from "../../harness/hold-lock.ts";
import { outcomeOf, ROOT, startServer } from "../../harness/programs.ts";
import { restClient } from "../../harness/rest.ts";
import { codeAt, STEP } from "../../harness/second-factor.ts";
import {
  openServerFixture,
  type ServerFixture,
  signIn,
  syncAll,
} from "../../harness/server-fixture.ts";
import { ENCRYPTION_KEY, openTestStorage, TEST_SERVER_URL } from "../../harness/storage.ts";
import { within } from "../../harness/time-limits.ts";
import { allRows, CLIENT, eventPosition, fillEveryTable } from "./backup-data.ts";
import { backup, openFilled, refusalOf, restore, startAdmin, startAdminBy } from "./commands.ts";

const ADMIN = join(ROOT, "scripts/admin.ts");
const TO_FILE = 'exec node scripts/admin.ts backup - > "$0"';
const TO_CLOSED_PIPE =
  'mkfifo "$0" && exec 3<>"$0" && exec node scripts/admin.ts backup - > "$0" 3<&-';
const FROM_FILE = 'exec node scripts/admin.ts restore - < "$0"';
/** How long a stop by Ctrl+C may take. */
const INTERRUPT_LIMIT_MS = 5_000;

test("every row of every table comes back in an empty database of either kind", async () => {
  await using fixture = await openServerFixture({ hosts: 1_300 });
  const server = await fixture.start();
  const { root, configId, withFactor } = await fillEveryTable(fixture, server.url);
  const rows = await allRows(fixture.storage);
  for (const [table, content] of Object.entries(rows)) expect(content, table).not.toEqual([]);
  const position = await eventPosition(fixture.storage);
  const running = join(fixture.storage.directory, "running.backup");
  expect(await outcomeOf(startAdminBy(TO_FILE, fixture.settings, running))).toMatchObject({
    code: 0,
    stdout: [],
  });
  expect((await root.get("/api/auth/me")).status).toBe(200);
  await server.kill("SIGTERM");

  await using embedded = await openTestStorage({ bare: true, server: null });
  const between = { ...embedded.env, ENCRYPTION_KEY };
  await restore(between, running, false);
  const moved = join(fixture.storage.directory, "moved.backup");
  await backup(between, moved);

  await using target = await openTestStorage({ bare: true });
  const settings = { ...fixture.settings, DATABASE_URL: "", ...target.env };
  expect(await outcomeOf(startAdminBy(FROM_FILE, settings, moved))).toMatchObject({
    code: 0,
    stderr: [],
  });
  await using restored = await startServer(settings);
  expect(await allRows(target)).toEqual(rows);
  expect(await eventPosition(target)).toBeGreaterThan(position + 1_000_000);
  expect((await restClient(restored.url, root.token).get("/api/auth/me")).status).toBe(401);
  await expectWorking(fixture, restored.url, configId);
  await expectSecondFactor(restored.url, withFactor);
});

/** After a new sign-in everything works as before. */
async function expectWorking(
  { provider }: ServerFixture,
  url: string,
  configId: string,
): Promise<void> {
  const root = await signIn(url);
  expect(await hostTotal(root)).toBe(await providerTotal(provider));
  expect((await root.post(`/api/hosts/configs/${configId}/test`)).data).toMatchObject({
    connected: true,
  });
  expect((await root.get("/api/system-config")).body).toEqual({
    show_network_info_to_client: true,
  });
  expect(await syncAll(root)).toMatchObject({ status: "succeeded", created: 0, gone: 0 });
  const client = await signIn(url, CLIENT);
  expect((await client.get("/api/hosts")).data.pagination.total).toBe(5);
  expect((await client.get("/api/renewals")).data.pagination.total).toBe(5);
}

async function expectSecondFactor(
  url: string,
  { username, password, secret }: { username: string; password: string; secret: string },
): Promise<void> {
  const anonymous = restClient(url);
  const { data } = await anonymous.post("/api/auth/login", { username, password });
  const { challenge } = data.secondFactor;
  // The code of the present step may have been accepted before the backup.
  const code = codeAt(secret, now() + STEP);
  const { status } = await anonymous.post("/api/auth/second-factor", { challenge, code });
  expect(status).toBe(200);
}

describe.skipIf(TEST_SERVER_URL === null)("beside a PostgreSQL server", () => {
  test("a backup is a private, complete file, and replaces another only when told to", async () => {
    await using storage = await openFilled();
    const { directory, env } = storage;
    const file = join(directory, "one.backup");
    await backup(env, file);
    const { mode, mtimeMs } = statSync(file);
    expect(mode & 0o777).toBe(0o600);
    expect(await refusalOf(backup(env, file))).toContain("--force");
    expect(statSync(file).mtimeMs).toBe(mtimeMs);
    await backup(env, file, true);
    expect(statSync(file).mtimeMs).toBeGreaterThan(mtimeMs);
    const missing = join(directory, "missing/one.backup");
    expect(await refusalOf(backup(env, missing))).toContain(missing);
    expect(readdirSync(directory).filter((name) => name.includes("backup"))).toEqual([
      "one.backup",
    ]);

    const says = (line: unknown) => ({ code: 1, stdout: [], stderr: [line] });
    expect(await outcomeOf(startAdmin(env, "backup", "--unknown", file))).toEqual(
      says(expect.stringMatching(/^用法/)),
    );
    const closed = await outcomeOf(startAdminBy(TO_CLOSED_PIPE, env, join(directory, "closed")));
    expect(closed).toEqual(
      says(expect.stringMatching(/^备份不完整，请勿使用已写出的部分（.*EPIPE/)),
    );
    const full = await outcomeOf(startAdminBy(TO_FILE, env, "/dev/full"));
    expect(full).toEqual(
      says(expect.stringMatching(/^备份不完整，请勿使用已写出的部分（.*ENOSPC/)),
    );
  });

  test("a backup that waits for the database ends on Ctrl+C and leaves no file", async () => {
    await using storage = await openFilled();
    await using lock = await holdLock(storage, "lock table sync_runs in access exclusive mode");
    await using command = startAdmin(
      storage.env,
      "backup",
      join(storage.directory, "interrupted.backup"),
    );
    await lock.awaited();
    const started = performance.now();

    expect(await command.kill("SIGINT")).toEqual({ code: 1, signal: null });
    expect(performance.now() - started).toBeLessThan(within(INTERRUPT_LIMIT_MS));
    expect(command.stderr).toEqual(["备份已中止，没有留下文件。"]);
    expect(readdirSync(storage.directory).filter((name) => name.includes("backup"))).toEqual([]);
  });

  test("a backup is of one moment, whatever changes while it is written", async () => {
    await using storage = await openFilled();
    const rows = await allRows(storage);
    const file = join(storage.directory, "moment.backup");
    {
      await using lock = await holdLock(storage, "lock table sync_runs in access exclusive mode");
      const writing = backup(storage.env, file);
      // It has begun, and waits for a table.
      await lock.awaited();
      await storage.query("update users set name = '后来'");
      await lock.release();
      await writing;
    }

    await restore(storage.env, file);

    expect(await allRows(storage)).toEqual(rows);
  });
});

test("there is nothing to back up where no database is, and none is made", async () => {
  for (const server of new Set([null, TEST_SERVER_URL])) {
    await using storage = await openTestStorage({ bare: true, server });
    const refusal = refusalOf(
      backup({ ...storage.env, ENCRYPTION_KEY }, join(storage.directory, "none.backup")),
    );
    expect(await refusal).toMatch(/没有数据库|没有本程序的数据/);
    expect(readdirSync(storage.directory)).toEqual([]);
  }
});

test("a backup that is read slowly does not keep an embedded server from answering", async () => {
  await using fixture = await openServerFixture({ server: null });
  const { url } = await fixture.start();
  const root = await signIn(url);
  // Far more than the pipe holds, and nothing that compresses.
  await fixture.storage.query(`
    insert into sync_runs (id, config_id, config_name, trigger, status, started_at)
    select gen_random_uuid(), gen_random_uuid(), md5(random()::text), 'manual', 'succeeded',
      extract(epoch from now())
    from generate_series(1, 20000)`);
  const backup = spawn(process.execPath, [ADMIN, "backup", "-"], {
    env: fixture.settings,
    stdio: ["ignore", "pipe", "inherit"],
  });

  const exited = once(backup, "exit");

  await once(backup.stdout, "readable");
  const answer = await root.get("/api/hosts");
  const text = await buffer(backup.stdout);

  expect(answer.status).toBe(200);
  expect(await exited).toEqual([0, null]);
  expect(gunzipSync(text).toString().split("\n").length).toBeGreaterThan(20_000);
});
