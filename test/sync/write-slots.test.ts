import { expect } from "vitest";
import { SETTLE_JOB } from "../../src/server/modules/sync/settling/settling.ts";
import { useApp } from "../harness/app.ts";
import { holdLock, itOnPostgresql } from "../harness/hold-lock.ts";
import { setField } from "../harness/provider-faults.ts";
import { assertOk } from "../harness/rest.ts";

const app = useApp();
const RUNS = 8;
/** Of the ten connections of a process. */
const WRITES_AT_ONCE = 4;
const ROUNDS = 4;

itOnPostgresql("eight runs that wait for a lock leave connections to calls", async () => {
  for (let n = 0; n < RUNS; n++) await app.config({ name: `配置${n}` });
  await using lock = await holdLock(app.database, "lock table hosts in share mode");
  await app.root.post("/api/hosts/sync?wait=0");
  const lists = () => app.simulator.control.calls().byAction.DescribeUHostInstance ?? 0;
  await expect.poll(lists).toBeGreaterThanOrEqual(8 * RUNS);
  await lock.awaited(WRITES_AT_ONCE);

  const answers = await Promise.all(Array.from({ length: 20 }, () => app.root.get("/api/users")));

  expect(answers.every(({ status }) => status === 200)).toBe(true);
  expect(await countWaiting(lock)).toBeLessThanOrEqual(WRITES_AT_ONCE);
  await lock.release();
  const { data } = await app.root.post("/api/hosts/sync?wait=25");
  expect(data.runs).toHaveLength(RUNS);
});

itOnPostgresql("runs and rounds of settling leave connections to calls together", async () => {
  const { control } = app.simulator;
  const regions = setField("Regions", [{ Region: "cn-bj2", Zone: "cn-bj2-01" }]);
  control.addFaults({ action: "GetRegion", fault: regions });
  const configIds: string[] = [];
  for (let n = 0; n < RUNS; n++) configIds.push(await app.config({ name: `配置${n}` }));
  await assertOk(app.root.post(`/api/hosts/sync?configId=${configIds[0]}`));
  const hostIds = await giveHosts(configIds.slice(0, ROUNDS));
  control.updateHosts({}, { State: "Rebooting" });
  await assertOk(app.root.post("/api/hosts/batch", { operation: "sync", hostIds }));
  control.resetCalls();
  await using lock = await holdLock(app.database, "lock table hosts in share mode");

  await app.root.post("/api/hosts/sync?wait=0");
  await lock.awaited(WRITES_AT_ONCE);
  await startRounds();

  for (let look = 1; look <= 20; look++) {
    expect(await app.root.get("/api/users")).toMatchObject({ status: 200 });
    expect(await countWaiting(lock)).toBeLessThanOrEqual(WRITES_AT_ONCE);
  }
  await lock.release();
});

/** Gives each of these configurations one host, whose id it returns. */
async function giveHosts(configIds: readonly string[]): Promise<string[]> {
  const rows = await app.database.query(
    `with chosen as (select id, row_number() over (order by id) as n from hosts)
     update hosts h set config_id = c.id
     from chosen join unnest($1::uuid[]) with ordinality as c (id, n) using (n)
     where h.id = chosen.id
     returning h.id`,
    [configIds],
  );
  return rows.map(({ id }) => String(id));
}

/** Lets the waiting rounds begin now, and resolves when each has asked the provider. */
async function startRounds(): Promise<void> {
  await app.database.query(
    "update pgboss.job set start_after = now() where name = $1 and state = 'created'",
    [SETTLE_JOB],
  );
  const lookups = () => app.simulator.control.calls().last.filter(({ ids }) => ids.length > 0);
  await expect.poll(() => lookups().length).toBeGreaterThanOrEqual(ROUNDS);
}

async function countWaiting(lock: Pick<Awaited<ReturnType<typeof holdLock>>, "query">) {
  const waiting = await lock.query(
    `select from pg_locks l join pg_stat_activity a using (pid)
     where not l.granted and a.datname = current_database()`,
  );
  return waiting.length;
}
