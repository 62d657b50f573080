import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { useApp } from "../harness/app.ts";
import { HAS_CONCURRENT_SESSIONS } from "../harness/database.ts";
import { holdLock } from "../harness/hold-lock.ts";
import { type RestClient, restClient } from "../harness/rest.ts";
import { startApp } from "../harness/start-app.ts";
import { proxyConnection } from "../harness/tcp-proxy.ts";
import { within } from "../harness/time-limits.ts";

const app = useApp();
/** More than the pool has connections. */
const CALLS = 30;
const ANSWER_LIMIT_MS = 1_000;

describe.runIf(HAS_CONCURRENT_SESSIONS)("after a failover", () => {
  it("a connection that was busy does not stay with a server that became read-only", async () => {
    await using phase = await makeReadOnly();
    await expect.poll(readiness).toBe(503);
    const busy = sql`select pg_sleep(3)`.execute(app.orm.em.fork().getKysely());
    await expect.poll(countSleeping).toBe(1);

    await phase.end();
    await expect.poll(readiness).toBe(200);
    await busy;

    expect(await statusesOf(app.root, CALLS)).toEqual([200]);
  });

  it("a refused change makes the next call get a new connection, unasked", async () => {
    await using phase = await makeReadOnly();
    await phase.end();

    const refused = await change(app.root);
    await sleep(100);

    expect(refused.status).toBe(503);
    expect(await statusesOf(app.root, CALLS)).toEqual([200]);
  });

  it("an act whose connection falls silent waits for its answer once, and no other", async () => {
    await using proxy = await proxyConnection(app.database.connection);
    await using other = await startApp(proxy.connection, { answerLimitMs: ANSWER_LIMIT_MS });
    const root = restClient(other.url, app.root.token);
    await using lock = await holdLock(app.database, "select from settings for update");
    const answer = change(root);
    await lock.awaited();

    proxy.stall();
    const began = performance.now();
    const { status } = await answer;
    const waited = performance.now() - began;
    await lock.release();
    await proxy.mend();

    expect(status).toBe(503);
    expect(waited).toBeLessThan(within(1.5 * ANSWER_LIMIT_MS));
    expect(await statusesOf(root, CALLS)).toEqual([200]);
  });
});

interface ReadOnlyPhase extends AsyncDisposable {
  end(): Promise<void>;
}

/**
 * The database takes no writes from those who connect now, until it is disposed of. Connections of
 * that time stay read-only, as those to a former primary.
 */
async function makeReadOnly(): Promise<ReadOnlyPhase> {
  const { database } = app;
  const [row] = await database.query("select current_database() as name");
  const setting = `alter database ${row?.name} set default_transaction_read_only`;
  await database.query(`${setting} = on`);
  await database.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`,
  );
  // None that was ended is left in the pool.
  const read = () => app.root.get("/api/users");
  const isServed = async () => {
    const answers = await Promise.all(Array.from({ length: CALLS }, read));
    return answers.every(({ status }) => status === 200);
  };
  await expect.poll(isServed).toBe(true);

  async function end(): Promise<void> {
    await database.query(`${setting} = off`);
  }
  return { end, [Symbol.asyncDispose]: end };
}

async function readiness(): Promise<number> {
  return (await fetch(`${app.url}/readyz`)).status;
}

async function countSleeping(): Promise<number> {
  const rows = await app.database.query(
    `select from pg_stat_activity
     where datname = current_database() and query like '%pg_sleep(3)%'
       and pid <> pg_backend_pid() and state = 'active'`,
  );
  return rows.length;
}

function change(root: RestClient) {
  const show = Math.random() < 0.5;
  return root.put("/api/system-config", { show_network_info_to_client: show });
}

/** The different statuses of so many changes, one after the other over the last used connections. */
async function statusesOf(root: RestClient, count: number): Promise<number[]> {
  const statuses = new Set<number>();
  for (let n = 0; n < count; n++) statuses.add((await change(root)).status);
  return [...statuses];
}
