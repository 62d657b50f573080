import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type { Pool, PoolClient } from "pg";
import { describe, expect, it } from "vitest";
import { useApp } from "../harness/app.ts";
import { HAS_CONCURRENT_SESSIONS } from "../harness/database.ts";
import { holdLock } from "../harness/hold-lock.ts";
import { isPostgreSqlInstalled, startNode } from "../harness/postgresql.ts";
import { type RestClient, restClient } from "../harness/rest.ts";
import { signIn } from "../harness/server-fixture.ts";
import { startApp } from "../harness/start-app.ts";
import { Stopwatch } from "../harness/stopwatch.ts";
import { proxyConnection, proxyUrl } from "../harness/tcp-proxy.ts";
import { within } from "../harness/time-limits.ts";

const app = useApp();
/** More than the pool has connections. */
const CALLS = 30;
const ANSWER_LIMIT_MS = 1_000;
/** Connections for those who come while others are held: calls, and what runs in the background. */
const CALLS_AT_ONCE = 5;
const SHOWN = { show_network_info_to_client: true };

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
    // A job that writes may be refused first, and then no call is.
    const statuses = new Set<number>();
    for (let tries = 0; tries < 5 && !statuses.has(503); tries += 1) {
      await using phase = await makeReadOnly();
      await phase.end();
      statuses.add((await change(app.root)).status);
    }
    await sleep(100);

    expect([...statuses]).toContain(503);
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
    using stopwatch = new Stopwatch();
    const { status } = await answer;
    const waited = stopwatch.read();
    await lock.release();
    await proxy.mend();

    expect(status).toBe(503);
    expect(waited).toBeLessThan(within(1.5 * ANSWER_LIMIT_MS));
    expect(await statusesOf(root, CALLS)).toEqual([200]);
  });
});

describe.runIf(HAS_CONCURRENT_SESSIONS && isPostgreSqlInstalled())(
  "when the address leads to another server, and the former one still answers",
  () => {
    it("no read after an acknowledged change is answered by the former one", async () => {
      await using pair = await openPair();
      const { root, pool } = pair;
      const [broken, ...busy] = await takeAll(pool);

      pair.pointToNext();
      // The change gets its place.
      broken?.release(true);
      const { status } = await root.put("/api/system-config", SHOWN);
      for (const client of busy) client.release();

      expect(status).toBe(200);
      expect(await readMany(root)).toEqual([SHOWN]);
    });

    it("a connection that was being opened meanwhile, and came late, does not stay", async () => {
      await using pair = await openPair();
      const { root, pool } = pair;
      const clients = await takeAll(pool);
      const busy = clients.splice(CALLS_AT_ONCE);
      for (const client of clients) client.release(true);

      pair.stallFormer();
      const accepted = pair.attempts();
      const late = pool.connect();
      await expect.poll(pair.attempts).toBeGreaterThan(accepted);
      pair.pointToNext();
      const { status } = await root.put("/api/system-config", SHOWN);
      await pair.mendFormer();
      for (const client of [...busy, await late]) client.release();

      expect(status).toBe(200);
      expect(await readMany(root)).toEqual([SHOWN]);
    });

    it("connections stay again as soon as the address leads to one server only", async () => {
      await using pair = await openPair();
      const { root, pool } = pair;
      for (const point of [pair.pointToNext, pair.pointToFormer, pair.pointToNext]) {
        const clients = await takeAll(pool);
        point();
        for (const client of clients) client.release(true);
        await readMany(root);
      }

      const countOpened = async () => {
        const before = pair.attempts();
        await readMany(root);
        return pair.attempts() - before;
      };

      await expect.poll(countOpened).toBe(0);
    });
  },
);

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

/**
 * An app whose address leads to one of two servers with the same data. Both take writes, so no
 * refusal tells one from the other.
 */
async function openPair() {
  await using resources = new AsyncDisposableStack();
  const former = await startNode(resources);
  const next = await startNode(resources, { primary: former });
  const toFormer = resources.use(await proxyUrl(former.url));
  const address = resources.use(await proxyUrl(toFormer.url));
  const connection = { kind: "server", url: address.url } as const;
  const { orm, url } = resources.use(await startApp(connection));
  const root = await signIn(url);
  const pool: Pool = await orm.driver.getConnection().getNativeClient();
  await former.replicated();
  await next.promote();

  const opened = resources.move();
  return {
    root,
    pool,
    /** How many connections were begun at the address. */
    attempts: address.attempts,
    pointToNext: () => address.pointTo(next.url),
    pointToFormer: () => address.pointTo(toFormer.url),
    stallFormer: toFormer.stall,
    mendFormer: toFormer.mend,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** Every connection of the pool, in use. */
function takeAll(pool: Pool): Promise<PoolClient[]> {
  return Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
}

/** The different answers to reads that use all connections. */
async function readMany(root: RestClient): Promise<unknown[]> {
  const read = () => root.get("/api/system-config");
  const answers = await Promise.all(Array.from({ length: CALLS }, read));
  const different = new Set(answers.map(({ data }) => JSON.stringify(data)));
  return [...different].map((text) => JSON.parse(text));
}
