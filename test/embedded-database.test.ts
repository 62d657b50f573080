import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { EmbeddedDatabase } from "../src/server/platform/embedded-database/open.ts";
import { openEmbeddedTestDatabase, query } from "./harness/database.ts";
import { holdLock } from "./harness/hold-lock.ts";

let database: EmbeddedDatabase;

beforeAll(async () => {
  database = await openEmbeddedTestDatabase();
  await query(database, "create table counters (id int primary key, value int not null)");
});
beforeEach(() => query(database, "delete from counters"));
afterAll(() => database[Symbol.asyncDispose]());

describe("the embedded database", () => {
  test("loses no update of 30 concurrent transactions", async () => {
    await using pool = openPool();
    await pool.query("insert into counters values (1, 0)");

    await Promise.all(
      Array.from({ length: 30 }, async () => {
        const client = await pool.connect();
        await client.query("begin");
        const { rows } = await client.query(
          "select value from counters where id = $1 for update",
          [1],
        );
        await sleep(2);
        await client.query("update counters set value = $2 where id = $1", [1, rows[0].value + 1]);
        await client.query("commit");
        client.release();
      }),
    );

    expect((await pool.query("select value from counters")).rows).toEqual([{ value: 30 }]);
  });

  test("gives each query that waits behind a transaction its own result", async () => {
    await using pool = openPool();
    // All ten connections exist first, so they wait with a statement and not at start-up.
    const clients = await Promise.all(Array.from({ length: 10 }, () => pool.connect()));
    for (const client of clients) client.release();
    await using holder = await holdLock(
      { connection: { kind: "embedded", ...database.connection } },
      "select",
    );
    const queries = Array.from({ length: 40 }, (_, n) => pool.query("select $1::int as n", [n]));
    await sleep(50);
    await holder.release();

    const answers = await Promise.all(queries);

    expect(answers.map(({ rows }) => rows)).toEqual(Array.from({ length: 40 }, (_, n) => [{ n }]));
  });

  test("rolls back a client that dies in a transaction, and serves those who wait", async () => {
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

  test.each([
    ["steps that were carried out", [parse("selec 1"), parse("select 1"), message("H")]],
    // The answer follows a Sync or Flush.
    [
      "steps that wait for the next",
      [message("Q", "select 1\0"), parse("selec 1"), parse("select 1")],
    ],
  ])(
    "serves others when a client dies between the steps of a statement: %s",
    async (_, messages) => {
      const socket = connectTo(database);
      socket.write(Buffer.concat(messages));
      await once(socket, "data");
      const waiting = query(database, "select 2 as two");
      expect(await Promise.race([waiting, sleep(50, "waits")])).toBe("waits");
      socket.destroy();
      expect(await waiting).toEqual([{ two: 2 }]);
    },
  );

  test("returns the error of a step with the answer to Sync, and serves its client on", async () => {
    const socket = connectTo(database);
    socket.write(Buffer.concat([parse("selec 1"), message("B", "\0\0\0\0\0\0\0\0"), message("S")]));
    expect(messageTypes(await readUntilReady(socket))).toEqual(["E", "Z"]);
    socket.write(message("Q", "select 1\0"));
    expect(messageTypes(await readUntilReady(socket))).toEqual(["T", "D", "C", "Z"]);
    socket.destroy();
  });
});

function openPool(): pg.Pool & AsyncDisposable {
  const pool = new pg.Pool({ ...database.connection, max: 10 });
  return Object.assign(pool, { [Symbol.asyncDispose]: () => pool.end() });
}

function connectTo({ connection: { host, port } }: EmbeddedDatabase): Socket {
  return connect(join(host, `.s.PGSQL.${port}`));
}

function message(type: string, body = ""): Buffer {
  const head = Buffer.alloc(5, type);
  head.writeInt32BE(Buffer.byteLength(body) + 4, 1);
  return Buffer.concat([head, Buffer.from(body)]);
}

/** A Parse message of a statement without a name. */
function parse(sql: string): Buffer {
  return message("P", `\0${sql}\0\0\0`);
}

/** Reads a complete answer. */
async function readUntilReady(socket: Socket): Promise<Buffer> {
  let answer = Buffer.alloc(0);
  while (!messageTypes(answer).includes("Z")) {
    const [piece] = await once(socket, "data");
    answer = Buffer.concat([answer, piece]);
  }
  return answer;
}

/** Types of the complete messages in an answer. */
function messageTypes(answer: Buffer): string[] {
  const found: string[] = [];
  for (let at = 0; at + 5 <= answer.length; at += 1 + answer.readInt32BE(at + 1)) {
    found.push(answer.toString("latin1", at, at + 1));
  }
  return found;
}
