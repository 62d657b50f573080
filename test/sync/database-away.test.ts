import { sql } from "kysely";
import { expect, test } from "vitest";
import { inTransaction } from "../../src/server/database/transaction.ts";
import { syncBench } from "./sync-bench.ts";

const bench = syncBench({ hosts: 400, projects: 1, regions: ["cn-bj2", "hk"] });

/** Cutting connections from outside and waiting for each other need a server; the embedded database has one session for all. */
const onServer = test.skipIf(process.env.TEST_DATABASE_URL === undefined);

onServer("a run goes on when the database drops every connection again and again", async () => {
  const configId = await bench.config();
  // However fast the machine, the run lasts for several cuts: it makes three calls or more, one after the other.
  bench.simulator.control.setLatency(150);
  const id = await bench.process.start(configId);
  const cuts: Promise<unknown>[] = [];
  const cutting = setInterval(() => cuts.push(cutEverybodyElse().catch(() => undefined)), 120);
  await expect.poll(async () => (await statusOf(id))?.finished, { timeout: 15_000 }).toBe(true);
  clearInterval(cutting);
  await Promise.all(cuts);
  await expect.poll(dying).toBe(0);
  expect(cuts.length).toBeGreaterThan(2);
  const run = await bench.end(id);
  expect(["succeeded", "interrupted"]).toContain(run.status);
  expect(run.gone).toBe(0);
  expect(await bench.sync(configId)).toMatchObject({ status: "succeeded", hostsSeen: 400, gone: 0 });
  expect((await bench.present()).length).toBe(400);
});

onServer("bug: a connection that died inside a transaction was lost to the pool for good", async () => {
  const { deps } = bench.process;
  const die = () =>
    inTransaction(deps, async (em) => {
      await sql`select pg_terminate_backend(pg_backend_pid())`.execute(em.getKysely());
    });
  // Twice the size of the pool.
  for (let n = 0; n < 10; n++) await expect(die()).rejects.toThrow();
  await expect.poll(async () => (await bench.process.deps.em.fork().execute("select 1 as one")).length).toBe(1);
});

onServer("two transactions that wait for each other both come through", async () => {
  const { deps } = bench.process;
  const ids = [await bench.config(), await bench.config()];
  const bothHoldOne = Promise.withResolvers<void>();
  let holding = 0;
  const lockBoth = (order: readonly string[]) =>
    inTransaction(deps, async (em) => {
      for (const id of order) {
        await sql`update configs set remark = 'locked' where id = ${id}`.execute(em.getKysely());
        holding += 1;
        if (holding >= 2) bothHoldOne.resolve();
        await bothHoldOne.promise;
      }
    });
  await Promise.all([lockBoth(ids), lockBoth(ids.toReversed())]);
  expect(holding).toBeGreaterThan(4);
});

/** The connections that were told to end, here and nowhere else, so that the story knows when the last has. */
const told = new Set<number>();

async function cutEverybodyElse(): Promise<void> {
  const rows = await bench.database.query(
    `select pid, pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
  );
  for (const row of rows) told.add(Number(row.pid));
}

async function dying(): Promise<number> {
  const rows = await bench.database.query("select pid from pg_stat_activity where pid = any($1)", [[...told]]);
  return rows.length;
}

async function statusOf(id: string): Promise<{ finished: boolean } | undefined> {
  const [row] = await bench.database.query("select finished_at is not null as finished from sync_runs where id = $1", [
    id,
  ]);
  return row === undefined ? undefined : { finished: row.finished === true };
}
