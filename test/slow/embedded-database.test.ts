import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DataDirError } from "../../src/server/embedded-database/data-dir-error.ts";
import { maintainOnce } from "../../src/server/embedded-database/maintenance.ts";
import { type EmbeddedConnection, openEmbeddedDatabase } from "../../src/server/embedded-database/open.ts";
import { ensureTemplate, openFromTemplate } from "../../src/server/embedded-database/template.ts";
import { openPool, query } from "../harness/embedded.ts";

/** A new database takes 3 s, and several times that on a busy machine. Milliseconds. */
const SLOW = 90_000;
const log = pino({ level: "silent" });
const writer = new URL("./embedded-database-writer.ts", import.meta.url);
let root: string;
const template = () => ({ templateDir: join(root, "template"), build: buildTemplate, log });

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "embedded-database-test-"));
  await ensureTemplate(template());
}, SLOW);
afterAll(() => rm(root, { recursive: true, force: true }));

describe("a data directory", () => {
  test(
    "is made private, keeps its rows across a reopen, and is left without socket or lock owner",
    async () => {
      const dataDir = join(root, "fresh", "data");
      {
        await using database = await openEmbeddedDatabase({ dataDir, log });
        const [version] = await query(database, "select current_setting('server_version_num')::int / 10000 as major");
        expect(version).toEqual({ major: 18 });
        await query(database, "create table kept as select 7 as n");
      }
      expect((await readdir(dataDir)).sort()).toEqual(["lock.sqlite", "pg"]);
      expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
      await using again = await openEmbeddedDatabase({ dataDir, log });
      expect(await query(again, "select n from kept")).toEqual([{ n: 7 }]);
    },
    SLOW,
  );

  test("in use by another process is refused by name and process id, and taken over after kill -9 with every acknowledged row", async () => {
    const dataDir = await filled("killed");
    const child = fork(writer, [dataDir], { execArgv: [] });
    await nextMessage(child);
    const refusal = openEmbeddedDatabase({ dataDir, log });
    await expect(refusal).rejects.toThrow(DataDirError);
    await expect(refusal).rejects.toThrow(`数据目录 ${dataDir} 正在被另一个进程（PID ${child.pid}）使用`);

    let acknowledged = 0;
    while (acknowledged < 200) acknowledged = await nextMessage(child);
    const ended = once(child, "exit");
    child.on("message", (n) => {
      acknowledged = Number(n);
    });
    child.kill("SIGKILL");
    await ended;

    await using database = await openEmbeddedDatabase({ dataDir, log });
    const sql = "select count(*) = max(n) as no_gap, max(n) >= $1 as all_there from written";
    expect(await query(database, sql, [acknowledged])).toEqual([{ no_gap: true, all_there: true }]);
  });

  test("in use by this very process is refused too", async () => {
    const dataDir = await filled("twice");
    await using first = await openEmbeddedDatabase({ dataDir, log });
    await expect(openEmbeddedDatabase({ dataDir, log })).rejects.toThrow(`PID ${process.pid}`);
    expect(await query(first, "select 1 as one")).toEqual([{ one: 1 }]);
  });

  test.each([
    { what: "another PostgreSQL's database", files: { PG_VERSION: "17\n" }, says: "由 PostgreSQL 17 创建" },
    { what: "foreign files", files: { "notes.txt": "mine" }, says: "不是空目录" },
  ])("that holds $what is refused and stays untouched", async ({ files, says }) => {
    const dataDir = await mkdtemp(join(root, "foreign-"));
    await mkdir(join(dataDir, "pg"));
    for (const [name, text] of Object.entries(files)) await writeFile(join(dataDir, "pg", name), text);
    await expect(openEmbeddedDatabase({ dataDir, log })).rejects.toThrow(says);
    expect(await readdir(dataDir, { recursive: true })).toEqual([
      "pg",
      ...Object.keys(files).map((n) => join("pg", n)),
    ]);
  });

  test("with a path too long for a socket still opens, and its socket directory goes away", async () => {
    const dataDir = await filled("long".repeat(30));
    const database = await openEmbeddedDatabase({ dataDir, log });
    const { host } = database.connection;
    expect(host).not.toContain(dataDir);
    expect(await query(database, "select 1 as one")).toEqual([{ one: 1 }]);
    await database[Symbol.asyncDispose]();
    expect(existsSync(host)).toBe(false);
  });
});

test("100 connections at once, 1,000 rows by 20 columns in, 16 MB out", async () => {
  await using database = await openFromTemplate(template());
  await using pool = openPool(database.connection, 100);
  const counts = await Promise.all(Array.from({ length: 300 }, (_, n) => pool.query("select $1::int as n", [n])));
  expect(counts.every((answer, n) => answer.rows[0].n === n)).toBe(true);

  const columns = Array.from({ length: 20 }, (_, c) => Array.from({ length: 1000 }, (_, r) => `行 ${r} 列 ${c}`));
  const parameters = columns.map((_, c) => `$${c + 1}::text[]`).join(", ");
  const names = columns.map((_, c) => `c${c}`).join(", ");
  const unnested = await pool.query(`select * from unnest(${parameters}) as t (${names})`, columns);
  expect(unnested.rows).toEqual(
    Array.from({ length: 1000 }, (_, r) => Object.fromEntries(columns.map((column, c) => [`c${c}`, column[r]]))),
  );

  const large = await pool.query("select repeat(md5(n::text), 512) as text from generate_series(1, 1024) n");
  expect(large.rows.reduce((bytes, row) => bytes + row.text.length, 0)).toBe(16 * 1024 * 1024);
});

test("copies of one template know nothing of each other and leave nothing behind", async () => {
  const [one, two] = await Promise.all([openFromTemplate(template()), openFromTemplate(template())]);
  await query(one, "insert into counters values (1, 1)");
  expect(await query(two, "select * from counters")).toEqual([]);
  await Promise.all([one[Symbol.asyncDispose](), two[Symbol.asyncDispose]()]);
  expect([existsSync(one.connection.host), existsSync(two.connection.host)]).toEqual([false, false]);
  expect((await readdir(root)).filter((name) => name.includes("building"))).toEqual([]);
});

test("maintenance removes dead rows and cuts the write-ahead log", async () => {
  await using database = await openFromTemplate(template());
  await query(
    database,
    "create table busy as select n, repeat(md5(n::text), 10) as text from generate_series(1, 40000) n",
  );
  for (let round = 0; round < 3; round += 1) await query(database, "update busy set n = n + 1");
  // Counts of dead rows are written with a delay; those of the last update must not come after the vacuum's own.
  await query(database, "select pg_stat_force_next_flush()");
  const done = await maintainOnce(database.connection);
  expect(done).toEqual({ checkpointed: true, vacuumed: ["public.busy"] });
  const [left] = await query(
    database,
    "select n_dead_tup::int as dead from pg_stat_user_tables where relname = 'busy'",
  );
  expect(left).toEqual({ dead: 0 });
  expect(await maintainOnce(database.connection)).toEqual({ checkpointed: false, vacuumed: [] });
});

test("room that a vacuum finds is used again, in a table whose map of it was looked for in vain before", async () => {
  await using database = await openFromTemplate(template());
  const size = async () => (await query(database, "select pg_relation_size('reused')::int as bytes"))[0]?.bytes;
  const write = () => query(database, "insert into reused select i, repeat('x', 200) from generate_series(1, 5000) i");
  await query(database, "create table reused (n int, filler text)");
  await write();
  const before = await size();
  // The last rows stay, or the file would be cut short.
  await query(database, "delete from reused where n < 4900");
  await query(database, "vacuum reused");
  await write();
  expect(await size()).toBeLessThan(1.1 * before);
});

test("a PostgreSQL that dies is reported, its clients fail at once, and the directory opens again", async () => {
  const dataDir = await filled("crash");
  {
    await using database = await openEmbeddedDatabase({ dataDir, log });
    await query(database, "create table kept as select 1 as n");
    // COPY from a client is beyond this PostgreSQL: it ends, as a server's backend would after a crash.
    await expect(query(database, "copy kept from stdin")).rejects.toThrow();
    expect((await database.failed).message).toBe("PostgreSQL died");
    await expect(query(database, "select 1")).rejects.toThrow();
  }
  await using again = await openEmbeddedDatabase({ dataDir, log });
  expect(await query(again, "select n from kept")).toEqual([{ n: 1 }]);
});

/** A data directory with a copy of the template in it: faster than a new database. */
async function filled(name: string): Promise<string> {
  const dataDir = join(root, name);
  await cp(join(root, "template", "pg"), join(dataDir, "pg"), { recursive: true });
  return dataDir;
}

async function buildTemplate(connection: EmbeddedConnection): Promise<void> {
  await using pool = openPool(connection);
  await pool.query("create extension pg_trgm; create table counters (id int primary key, value int not null)");
}

async function nextMessage(child: ChildProcess): Promise<number> {
  const [message] = await once(child, "message");
  return Number(message);
}
