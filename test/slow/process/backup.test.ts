import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { startServer } from "../../harness/programs.ts";
import { restClient } from "../../harness/rest.ts";
import {
  configure,
  hostTotal,
  openStage,
  providerTotal,
  type Stage,
  signIn,
  syncAll,
  TEST_LIMIT,
} from "../../harness/stage.ts";
import { openTestStorage, TEST_SERVER_URL, type TestStorage } from "../../harness/storage.ts";
import { allRows, CLIENT, fill } from "./backup-data.ts";
import { backup, backupToClosedPipe, backupToPipe, openEmptyDirectory, restore, restoreFromPipe } from "./commands.ts";

vi.setConfig({ testTimeout: 2 * TEST_LIMIT });

/** Written by the last version with format 1, by `fill` with 12 hosts. */
const FORMAT_1 = join(import.meta.dirname, "fixtures/format-1.backup");

test("every row of every table comes back in an empty database, of the same kind and of the other, and the program works on it", async () => {
  await using stage = await openStage({ hosts: 1_300 });
  const server = await stage.start();
  const { root, configId } = await fill(stage, server.url);
  const rows = await allRows(stage.storage);
  for (const [table, content] of Object.entries(rows)) expect(content, table).not.toEqual([]);
  expect(await sealedColumns(stage.storage)).toEqual(["configs.private_key_sealed"]);
  const position = await eventPosition(stage.storage);
  const file = join(stage.storage.directory, "running.backup");
  expect(await backup(stage.settings, file)).toMatchObject({ code: 0, stderr: [] });
  expect((await root.get("/api/auth/me")).status).toBe(200);
  await server.kill("SIGTERM");

  const places = [
    openEmptyDirectory,
    ...(TEST_SERVER_URL === null ? [] : [() => openTestStorage({ bare: true, server: TEST_SERVER_URL })]),
  ];
  let latest = file;
  for (const open of places) {
    await using storage = await open();
    expect(await restoreFromPipe(storage.env, latest)).toMatchObject({ code: 0, stderr: [] });
    // On from there, while nothing runs: what was moved can be moved on.
    latest = join(stage.storage.directory, `${places.indexOf(open)}.backup`);
    expect(await backupToPipe(storage.env, latest)).toMatchObject({ code: 0, stdout: [] });

    await using restored = await startServer({ ...stage.settings, DATABASE_URL: "", ...storage.env });
    expect(await allRows(storage)).toEqual(rows);
    expect(await eventPosition(storage)).toBeGreaterThan(position + 1_000_000);
    expect((await restClient(restored.url, root.token).get("/api/auth/me")).status).toBe(401);
    await works(stage, restored.url, configId);
  }
});

/** Signed in anew, everything does what it did. */
async function works({ provider }: Stage, url: string, configId: string): Promise<void> {
  const root = await signIn(url);
  expect(await hostTotal(root)).toBe(await providerTotal(provider));
  expect((await root.post(`/api/hosts/configs/${configId}/test`)).data).toMatchObject({ connected: true });
  expect((await root.get("/api/system-config")).body).toEqual({ show_network_info_to_client: true });
  expect(await syncAll(root)).toMatchObject({ status: "succeeded", created: 0, gone: 0 });
  const client = await signIn(url, CLIENT);
  expect((await client.get("/api/hosts")).data.pagination.total).toBe(5);
  expect((await client.get("/api/renewals")).data.pagination.total).toBe(5);
}

test("a backup is a private, complete file, replaces another one only with --force, and names the output that fails", async () => {
  await using stage = await openStage({ hosts: 0 });
  await using _server = await stage.start();
  const { directory } = stage.storage;
  const file = join(directory, "one.backup");
  expect(await backup(stage.settings, file)).toMatchObject({ code: 0, stderr: [] });
  const { mode, mtimeMs } = statSync(file);
  expect(mode & 0o777).toBe(0o600);

  expect(await backup(stage.settings, file)).toMatchObject({ code: 1, stderr: [expect.stringContaining("--force")] });
  expect(statSync(file).mtimeMs).toBe(mtimeMs);
  expect(await backup(stage.settings, file, "--force")).toMatchObject({ code: 0, stderr: [] });
  expect(statSync(file).mtimeMs).toBeGreaterThan(mtimeMs);

  for (const args of [[], ["--unknown", file]]) {
    expect(await backup(stage.settings, ...args)).toMatchObject({ code: 1, stderr: [expect.stringMatching(/^用法/)] });
  }
  const missing = join(directory, "missing/one.backup");
  expect(await backup(stage.settings, missing)).toMatchObject({ code: 1, stderr: [expect.stringContaining(missing)] });
  expect(readdirSync(directory).filter((name) => name.includes("backup"))).toEqual(["one.backup"]);

  const closed = await backupToClosedPipe(stage.settings, join(directory, "closed"));
  expect(closed).toMatchObject({ code: 1, stderr: ["标准输出已被关闭，备份不完整：请勿使用已写出的部分。"] });
  const full = await backupToPipe(stage.settings, "/dev/full");
  expect(full).toMatchObject({ code: 1, stderr: [expect.stringMatching(/^标准输出无法写入（.*ENOSPC/)] });
});

test("a backup of format 1 and an older schema is restored and migrated, also over existing data", async () => {
  await using stage = await openStage({ hosts: 0 });
  await (await stage.start()).kill("SIGTERM");
  expect(await restore(stage.settings, FORMAT_1, "--replace")).toMatchObject({ code: 0, stderr: [] });
  const server = await stage.start();
  expect(await hostTotal(await signIn(server.url))).toBe(12);
  expect((await (await signIn(server.url, CLIENT)).get("/api/renewals")).data.pagination.total).toBe(5);
  const [row] = await stage.storage.query(
    `select (select count(*)::int from assignments) as assignments,
       (select count(*)::int from users where admin_id is not null) as clients,
       (select count(*)::int from renewals where host_name is not null) as named`,
  );
  expect(row).toEqual({ assignments: 6, clients: 1, named: 5 });
});

test("a run that was live when the backup was made is interrupted after the restore, and its configuration can be synced", async () => {
  await using stage = await openStage({ hosts: 10 });
  const server = await stage.start();
  const configId = await configure(await signIn(server.url), stage.provider, "主账号");
  await stage.storage.query(
    `insert into sync_runs (id, config_id, config_name, trigger, status, started_at)
     values (gen_random_uuid(), $1, '主账号', 'manual', 'running', extract(epoch from now())::bigint)`,
    [configId],
  );
  const file = join(stage.storage.directory, "live.backup");
  expect(await backup(stage.settings, file)).toMatchObject({ code: 0, stderr: [] });
  await server.kill("SIGTERM");

  expect(await restore(stage.settings, file, "--replace")).toMatchObject({ code: 0, stderr: [] });
  const root = await signIn((await stage.start()).url);
  expect((await root.get("/api/hosts/sync-runs")).data.runs).toMatchObject([{ status: "interrupted" }]);
  expect(await syncAll(root)).toMatchObject({ status: "succeeded", created: 10 });
});

test("a database of a newer version is neither backed up nor replaced", async () => {
  await using stage = await openStage({ hosts: 0 });
  const server = await stage.start();
  const file = join(stage.storage.directory, "older.backup");
  expect(await backup(stage.settings, file)).toMatchObject({ code: 0, stderr: [] });
  await stage.storage.query("insert into schema_migrations (name) values ('Later')");
  await server.kill("SIGTERM");

  const refusal = { code: 1, stdout: [], stderr: [expect.stringContaining("更新版本")] };
  expect(await backup(stage.settings, `${file}.again`)).toMatchObject(refusal);
  expect(await restore(stage.settings, file, "--replace")).toMatchObject(refusal);
  await using older = await stage.start();
  expect(older.stdout).toContainEqual(
    expect.stringMatching(/"migrations":\["Later"\],"msg":"the database belongs to a newer version"/),
  );
});

test("there is nothing to back up where no database is, and none is made", async () => {
  await using storage = await openEmptyDirectory();
  const file = join(storage.directory, "none.backup");
  expect(await backup(storage.env, file)).toMatchObject({ code: 1, stderr: [expect.stringContaining("没有数据库")] });
  expect(readdirSync(storage.directory)).toEqual([]);
});

async function sealedColumns(storage: TestStorage): Promise<string[]> {
  const rows = await storage.query(
    "select table_name || '.' || column_name as name from information_schema.columns where column_name like '%sealed'",
  );
  return rows.map(({ name }) => String(name));
}

async function eventPosition(storage: TestStorage): Promise<number> {
  const [row] = await storage.query("select last_value::float8 as n from events_id_seq");
  return Number(row?.n);
}
