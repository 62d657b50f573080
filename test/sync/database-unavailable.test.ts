import { sql } from "kysely";
import { expect, test } from "vitest";
import { inTransaction } from "../../src/server/database/transaction.ts";
import { syncBench } from "./sync-bench.ts";

const bench = syncBench({ hosts: 400, projects: 1, regions: ["cn-bj2", "hk"] });

/** The embedded database has one session. */
const onServer = test.skipIf(process.env.TEST_DATABASE_URL === undefined);

onServer("a run continues when the database drops every connection several times", async () => {
  const configId = await bench.config();
  // The run makes three calls or more in sequence, so it lasts for several drops on any machine.
  bench.simulator.control.setLatency(150);
  const id = await bench.process.start(configId);
  const drops: Promise<void>[] = [];
  const dropping = setInterval(() => drops.push(dropConnections().catch(() => undefined)), 120);
  const isFinished = async () => {
    const [run] = await bench.database.query("select from sync_runs where id = $1 and finished_at is not null", [id]);
    return run !== undefined;
  };
  await expect.poll(isFinished, { timeout: 15_000 }).toBe(true);
  clearInterval(dropping);
  await Promise.all(drops);
  expect(drops.length).toBeGreaterThan(2);
  const run = await bench.end(id);
  expect(["succeeded", "interrupted"]).toContain(run.status);
  expect(run.gone).toBe(0);
  expect(await bench.sync(configId)).toMatchObject({ status: "succeeded", hostsSeen: 400, gone: 0 });
  expect(await bench.present()).toHaveLength(400);
});

onServer("the pool replaces a connection that ended inside a transaction", async () => {
  const { deps } = bench.process;
  const endOwnConnection = () =>
    inTransaction(deps, async (em) => {
      await sql`select pg_terminate_backend(pg_backend_pid())`.execute(em.getKysely());
    });
  // The pool has ten connections.
  for (let n = 0; n < 10; n++) await expect(endOwnConnection()).rejects.toThrow();
  await expect.poll(async () => (await deps.em.fork().execute("select 1 as one")).length).toBe(1);
});

onServer("two transactions in a deadlock both succeed", async () => {
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

/** Ends all connections to the database but the caller's, and waits for their end. */
async function dropConnections(): Promise<void> {
  await bench.database.query(
    "select pg_terminate_backend(pid, 2000) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  );
}
