import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { openStorage } from "../../../src/server/storage.ts";
import { outcomeOf } from "../../harness/programs.ts";
import { silentLog } from "../../harness/silent-log.ts";
import {
  ENCRYPTION_KEY,
  openTestStorage,
  TEST_SERVER_URL,
  type TestStorage,
} from "../../harness/storage.ts";
import { allRows, eventPosition, tableNames } from "./backup-data.ts";
import { backup, OLD_BACKUP, openFilled, refusalOf, restore, startAdmin } from "./commands.ts";

/** How many bytes before the end the checksum of the content begins. */
const GZIP_CHECKSUM = 8;

describe.skipIf(TEST_SERVER_URL === null)("restore", () => {
  test("of a backup of an older schema migrates it, and replaces data only when told to", async () => {
    await using storage = await openFilled();
    const [row] = await storage.query(
      `select (select count(*)::int from hosts) as hosts, (select count(*)::int from assignments) as assignments,
         (select count(*)::int from users where admin_id is not null) as clients,
         (select count(*)::int from renewals where host_name is not null) as named`,
    );
    expect(row).toEqual({ hosts: 12, assignments: 6, clients: 1, named: 5 });
    expect(await refusalOf(restore(storage.env, OLD_BACKUP, false))).toMatch(
      /users 有 3 行.*--replace/,
    );
    await restore(storage.env, OLD_BACKUP, true);
  });

  test("refuses a damaged, foreign or newer file, and the database stays as it was", async () => {
    await using storage = await openFilled();
    const { file, rows } = await backedUp(storage);
    const whole = readFileSync(file);
    const text = gunzipSync(whole).toString();
    const flipped = whole.with(-GZIP_CHECKSUM, (whole.at(-GZIP_CHECKSUM) ?? 0) ^ 1);
    const spoilt: Readonly<Record<string, readonly [content: Uint8Array, says: RegExp]>> = {
      "cut short": [whole.subarray(0, -9), /不完整或已损坏/],
      "without its last line": [
        gzipSync(text.slice(0, text.lastIndexOf("\n", text.length - 2))),
        /不完整或已损坏/,
      ],
      "with a line more": [gzipSync(`${text}{}\n`), /不完整或已损坏/],
      "with a flipped bit in its checksum": [flipped, /不完整或已损坏/],
      "plain text": [Buffer.from("select 1;\n"), /不是本产品的备份文件/],
      "of a newer format": [changed(text, '"formatVersion":2', '"formatVersion":3'), /更新版本/],
      "of a newer schema": [
        changed(text, '"schema":["', '"schema":["Initial","Later","'),
        /更新版本/,
      ],
      "with a wrong row": [
        changed(text, '"role": "super_admin"', '"role": "king"'),
        /users 的数据无法写入/,
      ],
    };
    for (const [what, [content, says]] of Object.entries(spoilt)) {
      const path = join(storage.directory, `${what}.backup`);
      writeFileSync(path, content);
      expect(await refusalOf(restore(storage.env, path)), what).toMatch(says);
    }
    expect(await allRows(storage)).toEqual(rows);
    const missing = await outcomeOf(
      startAdmin(storage.env, "restore", join(storage.directory, "missing")),
    );
    expect(missing).toEqual({ code: 1, stdout: [], stderr: [expect.stringMatching(/无法读取/)] });
  });

  test("refuses a backup that no key at hand opens, and takes the key as an old one", async () => {
    await using storage = await openFilled();
    const { file, rows } = await backedUp(storage);
    const env = { ...storage.env, ENCRYPTION_KEY: randomBytes(32).toString("base64") };
    expect(await refusalOf(restore(env, file))).toMatch(/configs .*当前密钥.*ENCRYPTION_KEY/);
    expect(await allRows(storage)).toEqual(rows);
    const before = await eventPosition(storage);
    await restore({ ...env, ENCRYPTION_KEYS_OLD: ENCRYPTION_KEY }, file);
    expect(await allRows(storage)).toEqual(rows);
    expect(await eventPosition(storage)).toBeGreaterThan(before);
  });

  test("is refused under a running server, whatever name its address has", async () => {
    await using storage = await openFilled();
    const { DATABASE_URL = "", DATA_DIR: dataDir = "" } = storage.env;
    const named = new URL(DATABASE_URL);
    named.searchParams.set("application_name", "production");
    named.searchParams.set("options", "-c application_name=production");
    await using running = await openStorage(
      { databaseUrl: named.href, dataDir },
      { log: silentLog },
    );
    await running.pool.query("select 1");

    const rows = await allRows(storage);

    expect(await refusalOf(restore(storage.env, OLD_BACKUP))).toContain("仍有服务进程");
    expect(await allRows(storage)).toEqual(rows);
  });

  test("leaves alone a database of somebody else", async () => {
    await using other = await openTestStorage({ bare: true });

    await other.query("create table users as select 'somebody' as name");

    expect(await refusalOf(restore(other.env, OLD_BACKUP))).toMatch(/users 不是本程序建立的/);
    expect(await tableNames(other)).toEqual(["users"]);
    expect(await other.query("select * from users")).toEqual([{ name: "somebody" }]);
  });

  test("leaves alone a database of a newer version, which is not backed up either", async () => {
    await using storage = await openFilled();
    await storage.query("insert into schema_migrations (name) values ('Later')");

    const rows = await allRows(storage);

    expect(await refusalOf(backup(storage.env, join(storage.directory, "newer.backup")))).toContain(
      "更新版本",
    );
    expect(await refusalOf(restore(storage.env, OLD_BACKUP))).toContain("更新版本");
    expect(await allRows(storage)).toEqual(rows);
  });

  test("puts what happens afterwards behind the history of the backup", async () => {
    await using storage = await openFilled();
    const { file } = await backedUp(storage);

    await restore(storage.env, file);

    const [row] = await storage.query(
      "select nextval('host_history_seq') > (select max(seq) from host_acts) as later",
    );
    expect(row).toEqual({ later: true });
  });

  test("interrupts a run that was live when the backup was made", async () => {
    await using storage = await openFilled();
    await storage.query(
      `insert into sync_runs (id, config_id, config_name, trigger, status, started_at)
       select gen_random_uuid(), id, name, 'manual', case when is_default then 'running' else 'queued' end, created_at
       from configs`,
    );
    const { file } = await backedUp(storage);
    await restore(storage.env, file);
    const runs = await storage.query("select status from sync_runs");
    expect(runs.filter(({ status }) => status === "interrupted")).toHaveLength(2);
    expect(runs.filter(({ status }) => status === "running" || status === "queued")).toEqual([]);
  });
});

async function backedUp(storage: TestStorage) {
  const file = join(storage.directory, "whole.backup");
  await backup(storage.env, file);
  return { file, rows: await allRows(storage) };
}

function changed(text: string, words: string, others: string): Buffer {
  expect(text).toContain(words);
  return gzipSync(text.replace(words, others));
}
