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
