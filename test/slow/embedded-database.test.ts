import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openEmbeddedDatabase } from "../../src/server/embedded-database/open.ts";
import { copyTestTemplate } from "../harness/database.ts";
import { query } from "../harness/embedded.ts";

/** A new database takes 3 s, and several times that on a busy machine. Milliseconds. */
const SLOW = 90_000;
const log = pino({ level: "silent" });
let root: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "embedded-database-test-"));
});
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

test("a PostgreSQL that ends is reported, its clients fail at once, and the directory opens again", async () => {
  const dataDir = await filled("crash");
  {
    await using database = await openEmbeddedDatabase({ dataDir, log });
    await query(database, "create table kept as select 1 as n");
    // COPY from a client is not supported by this PostgreSQL: it ends, as a server's backend would after a crash.
    await expect(query(database, "copy kept from stdin")).rejects.toThrow();
    expect((await database.failed).message).toBe("the embedded PostgreSQL failed");
    await expect(query(database, "select 1")).rejects.toThrow();
  }
  await using again = await openEmbeddedDatabase({ dataDir, log });
  expect(await query(again, "select n from kept")).toEqual([{ n: 1 }]);
});

test("a PostgreSQL that does not answer is reported and ended, and the directory opens again", async () => {
  const dataDir = await filled("spinning");
  {
    await using database = await openEmbeddedDatabase({ dataDir, log, pingTimeout: 2_000 });
    await query(database, "create table kept as select 1 as n");
    const endless = query(database, "select count(*) from generate_series(1, 1e12::bigint)");
    await expect(endless).rejects.toThrow();
    expect((await database.failed).cause).toMatchObject({ message: "PostgreSQL does not answer" });
  }
  await using again = await openEmbeddedDatabase({ dataDir, log });
  expect(await query(again, "select n from kept")).toEqual([{ n: 1 }]);
});

/** A data directory with a database in it: faster than creating one. */
async function filled(name: string): Promise<string> {
  const dataDir = join(root, name);
  await copyTestTemplate(dataDir);
  return dataDir;
}
