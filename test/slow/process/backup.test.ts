import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { Migration } from "@mikro-orm/migrations";
import { expect, test, vi } from "vitest";
import { createLog } from "../../../src/server/core/log.ts";
import { createSecretBox } from "../../../src/server/core/secrets.ts";
import { ENTITIES, MIGRATIONS } from "../../../src/server/database/entities.ts";
import { restore as restoreIn } from "../../../src/server/operations/restore.ts";
import { SEALED_COLUMNS } from "../../../src/server/operations/sealed-columns.ts";
import { BACKUP_TABLES, FUNCTIONS, LEFT_OUT_TABLES } from "../../../src/server/operations/tables.ts";
import { openTestDatabase } from "../../harness/database.ts";
import { ENCRYPTION_KEY, openPlace, type Place, SERVER } from "../../harness/place.ts";
import { startServer } from "../../harness/programs.ts";
import { restClient } from "../../harness/rest.ts";
import { hostTotal, openStage, providerTotal, type Stage, signIn, syncAll, TEST_LIMIT } from "../../harness/stage.ts";
import { allRows, CLIENT, fill, tableNames } from "./backup-data.ts";
import { backup, backupToClosedPipe, backupToPipe, openEmptyDirectory, restore, restoreFromPipe } from "./commands.ts";

vi.setConfig({ testTimeout: 2 * TEST_LIMIT });

test("every row of every table comes back in an empty database, of the same kind and of the other, and the program works on it", async () => {
  await using stage = await openStage({ hosts: 1_300 });
  const server = await stage.start();
  const { root, configId } = await fill(stage, server.url);
  const rows = await allRows(stage.place);
  for (const [table, content] of Object.entries(rows)) expect(content, table).not.toEqual([]);
  const position = await eventPosition(stage.place);
  const file = join(stage.place.directory, "running.backup");
  expect(await backup(stage.settings, file)).toMatchObject({ code: 0, stderr: [] });
  expect((await root.get("/api/auth/me")).status).toBe(200);
  await server.kill("SIGTERM");

  const places = [openEmptyDirectory, ...(SERVER === null ? [] : [() => openPlace({ bare: true, server: SERVER })])];
  let latest = file;
  for (const open of places) {
    await using place = await open();
    expect(await restoreFromPipe(place.env, latest)).toMatchObject({ code: 0, stderr: [] });
    // On from there, while nothing runs: what was moved can be moved on.
    latest = join(stage.place.directory, `${places.indexOf(open)}.backup`);
    expect(await backupToPipe(place.env, latest)).toMatchObject({ code: 0, stdout: [] });

    await using restored = await startServer({ ...stage.settings, DATABASE_URL: "", ...place.env });
    expect(await allRows(place)).toEqual(rows);
    expect(await eventPosition(place)).toBeGreaterThan(position + 1_000_000);
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

test("a backup is a private file, whole or not there at all, and takes no other's place unless told to", async () => {
  await using stage = await openStage({ hosts: 0 });
  await using _server = await stage.start();
  const { directory } = stage.place;
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
});

test("a backup into a pipe that closes, or a disk that is full, says that of its output and not of the database", async () => {
  await using stage = await openStage({ hosts: 0 });
  await using _server = await stage.start();
  const closed = await backupToClosedPipe(stage.settings, join(stage.place.directory, "closed"));
  expect(closed).toMatchObject({ code: 1, stderr: ["标准输出已被关闭，备份不完整：请勿使用已写出的部分。"] });
  const full = await backupToPipe(stage.settings, "/dev/full");
  expect(full).toMatchObject({ code: 1, stderr: [expect.stringMatching(/^标准输出无法写入（.*ENOSPC/)] });
});

class Later extends Migration {
  override up(): void {
    this.addSql("alter table users add column note text not null default 'from later'");
  }
}

test("an older backup is brought up to date; what a newer program made is neither backed up nor replaced by an older one", async () => {
  await using stage = await openStage({ hosts: 0 });
  const server = await stage.start();
  const file = join(stage.place.directory, "older.backup");
  expect(await backup(stage.settings, file)).toMatchObject({ code: 0, stderr: [] });
  await server.kill("SIGTERM");
  const place = { databaseUrl: stage.settings.DATABASE_URL ?? null, dataDir: stage.settings.DATA_DIR ?? "" };
  const log = createLog({ level: "silent", pretty: false });
  const secrets = createSecretBox(Buffer.from(ENCRYPTION_KEY, "base64"));
  const newer = {
    entities: ENTITIES,
    migrations: [...MIGRATIONS, { name: "Later", class: Later }],
    secrets,
    log,
    file,
    place,
  };
  await restoreIn({ ...newer, replace: true });

  const refusal = { code: 1, stdout: [], stderr: [expect.stringContaining("更新版本")] };
  expect(await backup(stage.settings, `${file}.again`)).toMatchObject(refusal);
  expect(await restore(stage.settings, file, "--replace")).toMatchObject(refusal);
  await using older = await stage.start();
  expect(older.stdout).toContainEqual(
    expect.stringMatching(/"migrations":\["Later"\],"msg":"the database belongs to a newer version"/),
  );
  expect(await stage.place.query("select username, note from users")).toEqual([
    { username: "root", note: "from later" },
  ]);
});

test("there is nothing to back up where no database is, and none is made", async () => {
  await using place = await openEmptyDirectory();
  const file = join(place.directory, "none.backup");
  expect(await backup(place.env, file)).toMatchObject({ code: 1, stderr: [expect.stringContaining("没有数据库")] });
  expect(readdirSync(place.directory)).toEqual([]);
});

test("no table, no function and no sealed column of the schema is unknown to backups", async () => {
  await using database = await openTestDatabase();
  const tables = [...BACKUP_TABLES.map(({ name }) => name), ...LEFT_OUT_TABLES, "schema_migrations"];
  expect(tables).toEqual(expect.arrayContaining(await tableNames(database)));
  const functions = await database.query(
    `select proname from pg_proc p where pronamespace = 'public'::regnamespace
     and not exists (select 1 from pg_depend d where d.objid = p.oid and d.deptype = 'e')`,
  );
  expect(FUNCTIONS).toEqual(expect.arrayContaining(functions.map(({ proname }) => proname)));
  const sealed = await database.query(
    "select table_name as table, column_name as column from information_schema.columns where column_name like '%sealed'",
  );
  expect(sealed).toEqual(SEALED_COLUMNS.map(({ table, column }) => ({ table, column })));
});

async function eventPosition(place: Place): Promise<number> {
  const [row] = await place.query("select last_value::float8 as n from events_id_seq");
  return Number(row?.n);
}
