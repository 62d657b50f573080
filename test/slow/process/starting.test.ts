import { readdirSync } from "node:fs";
import pg from "pg";
import { expect, test, vi } from "vitest";
import { ADVISORY_LOCKS } from "../../../src/server/database/sql.ts";
import { startServer, startServerProcess } from "../../harness/programs.ts";
import { eventually, TEST_LIMIT, within } from "../../harness/stage.ts";
import { openTestStorage, TEST_SERVER_URL } from "../../harness/storage.ts";

vi.setConfig({ testTimeout: TEST_LIMIT });

/** From the contract, in ms. */
const STOP_LIMIT = 10_000;

test("SIGTERM while the embedded database is being made breaks that off, leaves nothing half made, exit code 0", async () => {
  await using storage = await openTestStorage({ bare: true, server: null });
  await using server = startServerProcess({ ...storage.env, LOG_LEVEL: "info" });
  await server.line(/creating the embedded database/);
  expect(await server.kill("SIGTERM")).toEqual({ code: 0, signal: null });
  expect(server.output.slice(1)).toEqual([expect.stringMatching(/"signal":"SIGTERM","msg":"stopping"/)]);
  expect(readdirSync(storage.env.DATA_DIR ?? "").filter((name) => name.startsWith("pg"))).toEqual([]);

  await using again = await startServer(storage.env);
  expect((await fetch(`${again.url}/readyz`)).status).toBe(200);
});

test.skipIf(TEST_SERVER_URL === null)(
  "SIGTERM while another process migrates does not wait for that: exit code 0 within 10 s",
  async () => {
    await using storage = await openTestStorage({ server: TEST_SERVER_URL, bare: true });
    const other = new pg.Client({ connectionString: storage.env.DATABASE_URL });
    await other.connect();
    try {
      await other.query("select pg_advisory_lock($1)", [ADVISORY_LOCKS.migration]);
      await using server = startServerProcess({ ...storage.env, LOG_LEVEL: "info" });
      const waiting = `select 1 from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`;
      await eventually(async () => expect(await storage.query(waiting)).toHaveLength(1));
      const began = performance.now();
      expect(await server.kill("SIGTERM")).toEqual({ code: 0, signal: null });
      expect(performance.now() - began).toBeLessThan(within(STOP_LIMIT));
      expect(server.output).toEqual([expect.stringMatching(/"signal":"SIGTERM","msg":"stopping"/)]);
    } finally {
      await other.end();
    }
  },
);

test.skipIf(TEST_SERVER_URL === null)(
  "a database that its user may not write stops the start with one line and exit code 1",
  async () => {
    await using storage = await openTestStorage({ server: TEST_SERVER_URL, bare: true });
    const role = `reader_${process.pid}`;
    await storage.query(`create role ${role} login`);
    try {
      const url = new URL(storage.env.DATABASE_URL ?? "");
      url.username = role;
      await using server = startServerProcess({ ...storage.env, DATABASE_URL: url.href, LOG_LEVEL: "warn" });
      expect(await server.exited).toEqual({ code: 1, signal: null });
      expect(server.output).toEqual([expect.stringContaining("permission denied")]);
    } finally {
      await storage.query(`drop role ${role}`);
    }
  },
);
