import { expect } from "vitest";
import { useApp } from "../harness/app.ts";
import { holdLock, itOnPostgresql } from "../harness/hold-lock.ts";

const app = useApp();
const RUNS = 8;
/** Of the ten connections of a process. */
const WRITES_AT_ONCE = 4;

itOnPostgresql("eight runs that wait for a lock leave connections to calls", async () => {
  for (let n = 0; n < RUNS; n++) await app.config({ name: `配置${n}` });
  await using lock = await holdLock(app.database, "lock table hosts in share mode");
  await app.root.post("/api/hosts/sync?wait=0");
  const lists = () => app.simulator.control.calls().byAction.DescribeUHostInstance ?? 0;
  await expect.poll(lists).toBeGreaterThanOrEqual(8 * RUNS);
  await lock.awaited(WRITES_AT_ONCE);

  const answers = await Promise.all(Array.from({ length: 20 }, () => app.root.get("/api/users")));
  const waiting = await lock.query(`
    select from pg_locks l join pg_stat_activity a using (pid) where not l.granted and a.datname = current_database()`);

  expect(answers.every(({ status }) => status === 200)).toBe(true);
  expect(waiting.length).toBeLessThanOrEqual(WRITES_AT_ONCE);
  await lock.release();
  const { data } = await app.root.post("/api/hosts/sync?wait=25");
  expect(data.runs).toHaveLength(RUNS);
});
