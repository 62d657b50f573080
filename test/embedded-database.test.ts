import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { EmbeddedDatabase } from "../src/server/embedded-database/open.ts";
import { openEmbeddedTestDatabase, query } from "./harness/database.ts";

let database: EmbeddedDatabase;

beforeAll(async () => {
  database = await openEmbeddedTestDatabase();
  await query(database, "create table counters (id int primary key, value int not null)");
});
beforeEach(() => query(database, "delete from counters"));
afterAll(() => database[Symbol.asyncDispose]());

describe("many connections on one embedded database", () => {
  test("30 concurrent transactions that read, wait and write lose no update", async () => {
    await using pool = openPool();
    await pool.query("insert into counters values (1, 0)");
    await Promise.all(
      Array.from({ length: 30 }, async () => {
        const client = await pool.connect();
        await client.query("begin");
        const { rows } = await client.query("select value from counters where id = $1 for update", [1]);
        await sleep(2);
        await client.query("update counters set value = $2 where id = $1", [1, rows[0].value + 1]);
        await client.query("commit");
        client.release();
      }),
    );
    expect((await pool.query("select value from counters")).rows).toEqual([{ value: 30 }]);
  });

  test("parameterised queries that wait behind a transaction each get their own result", async () => {
    await using pool = openPool();
    // All ten connections exist first, so they wait with a statement and not at start-up.
    const clients = await Promise.all(Array.from({ length: 10 }, () => pool.connect()));
    for (const client of clients.slice(1)) client.release();
    const [holder] = clients;
    if (holder === undefined) throw new Error("no client");
    await holder.query("begin");
    const queries = Array.from({ length: 40 }, (_, n) => pool.query("select $1::int as n", [n]));
    await sleep(50);
    await holder.query("commit");
    holder.release();
    const answers = (await Promise.all(queries)).map((answer) => answer.rows[0].n);
    expect(answers).toEqual(Array.from({ length: 40 }, (_, n) => n));
  });

  test("a client that dies inside a transaction is rolled back, and the waiting clients continue", async () => {
    const dying = new pg.Client(database.connection);
    dying.on("error", () => undefined);
    await dying.connect();
    await dying.query("begin");
    await dying.query("insert into counters values (1, 1)");
    const waiting = query(database, "select count(*)::int as rows from counters");
    expect(await Promise.race([waiting, sleep(50, "waits")])).toBe("waits");
    dying.connection.stream.destroy();
    expect(await waiting).toEqual([{ rows: 0 }]);
  });
});

function openPool(): pg.Pool & AsyncDisposable {
  const pool = new pg.Pool({ ...database.connection, max: 10 });
  return Object.assign(pool, { [Symbol.asyncDispose]: () => pool.end() });
}
