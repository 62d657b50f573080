import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openEmbeddedDatabase } from "../../src/server/platform/embedded-database/open.ts";
import { copyTestTemplate, query } from "../harness/database.ts";
import { scratchDirectory } from "../harness/scratch.ts";
import { silentLog } from "../harness/silent-log.ts";

const root = scratchDirectory();

test.each([
  {
    what: "another PostgreSQL's database",
    file: "PG_VERSION",
    text: "17\n",
    says: "由 PostgreSQL 17 创建",
  },
  { what: "foreign files", file: "notes.txt", text: "mine", says: "不是空目录" },
])(
  "a data directory that holds $what is refused and stays untouched",
  async ({ file, text, says }) => {
    const dataDir = await mkdtemp(join(root, "foreign-"));
    await mkdir(join(dataDir, "pg"));

    await writeFile(join(dataDir, "pg", file), text);

    await expect(openEmbeddedDatabase({ dataDir, log: silentLog })).rejects.toThrow(says);
    expect(await readdir(dataDir, { recursive: true })).toEqual(["pg", join("pg", file)]);
  },
);

test("a PostgreSQL that ends or does not answer is reported, and opens again", async () => {
  const dataDir = join(root, "long".repeat(30));
  await copyTestTemplate(dataDir);
  const hosts: string[] = [];
  const open = async (more: { readonly pingTimeout?: number } = {}) => {
    const database = await openEmbeddedDatabase({ dataDir, log: silentLog, ...more });
    hosts.push(database.connection.host);
    return database;
  };
  {
    await using database = await open();
    await query(database, "create table kept as select 1 as n");
    // COPY from a client is not supported by this PostgreSQL: it ends, as a server's backend would
    // after a crash.
    await expect(query(database, "copy kept from stdin")).rejects.toThrow();
    expect((await database.failed).message).toBe("the embedded PostgreSQL failed");
    await expect(query(database, "select 1")).rejects.toThrow();
  }
  {
    await using database = await open({ pingTimeout: 2_000 });
    const endless = query(database, "select count(*) from generate_series(1, 1e12::bigint)");
    await expect(endless).rejects.toThrow();
    expect((await database.failed).cause).toMatchObject({ message: "PostgreSQL does not answer" });
  }
  {
    await using database = await open();
    expect(await query(database, "select n from kept")).toEqual([{ n: 1 }]);
  }
  for (const host of hosts) {
    expect(host).not.toContain(dataDir);
    expect(existsSync(host)).toBe(false);
  }
});
