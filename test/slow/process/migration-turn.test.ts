import pg from "pg";
import { expect, test } from "vitest";
import { ADVISORY_LOCKS } from "../../../src/server/platform/database/sql.ts";
import { query } from "../../harness/database.ts";
import { listening, startServerProcess } from "../../harness/programs.ts";
import { openTestStorage, TEST_SERVER_URL, type TestStorage } from "../../harness/storage.ts";

test.skipIf(TEST_SERVER_URL === null)(
  "a start while another process migrates waits, says for whom, and goes on",
  async () => {
    // A statement that waited for the lock would be cancelled.
    await using storage = await openTestStorage();
    await limitStatements(storage, "1s");
    await using other = await takeTurn(storage);
    await using program = startServerProcess({ ...storage.env, LOG_LEVEL: "warn" });

    const line = await program.line(/^.*another process migrates the database.*$/);
    await other.query("select pg_sleep(0.9)");
    await other.query("select pg_sleep(0.9)");
    expect(program.stdout.join()).not.toContain("http:");
    await other.query("commit");

    const { url } = await listening(program);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect(JSON.parse(line)).toMatchObject({
      pid: other.pid,
      application: "somebody's upgrade",
      address: "127.0.0.1",
    });
  },
);

/** For all who connect from now on. */
async function limitStatements({ env }: TestStorage, limit: string): Promise<void> {
  const name = new URL(env.DATABASE_URL ?? "").pathname.slice(1);
  const server = { connection: { connectionString: TEST_SERVER_URL ?? "" } };
  await query(server, `alter database ${name} set statement_timeout = '${limit}'`);
}

/** What a process holds as long as it migrates. */
async function takeTurn({ env }: TestStorage) {
  const client = new pg.Client({
    connectionString: env.DATABASE_URL,
    application_name: "somebody's upgrade",
  });
  await client.connect();
  await client.query("begin");
  await client.query("select pg_advisory_xact_lock($1)", [ADVISORY_LOCKS.migration]);
  const { rows } = await client.query("select pg_backend_pid() as pid");
  return {
    pid: Number(rows[0].pid),
    query: (sql: string) => client.query(sql),
    [Symbol.asyncDispose]: () => client.end(),
  };
}
