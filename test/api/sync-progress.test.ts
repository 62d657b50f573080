import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { useApp } from "../harness/app.ts";

const app = useApp({ simulator: { hosts: 400, regions: 20, projects: 2 } });

async function countProgress(): Promise<number> {
  const [row] = await app.database.query("select count(*)::int as count from events where type = 'sync.progress'");
  return Number(row?.count);
}

it("a sync run that makes no progress is published at least every two seconds", async () => {
  const { control } = app.simulator;
  await app.config();
  control.hold({ action: "DescribeUHostInstance", times: 1_000 });
  const { data } = await app.root.post("/api/hosts/sync?wait=0");
  await control.waitForHeld();
  await sleep(600);
  const before = await countProgress();
  await sleep(4_200);
  expect((await countProgress()) - before).toBeGreaterThanOrEqual(2);
  await app.root.post(`/api/hosts/sync-runs/${data.runs[0].id}/cancel`);
});

it("a sync run that makes progress all the time is published at most four times a second", async () => {
  await app.config();
  app.simulator.control.setLatency(250);
  const started = performance.now();
  const { data } = await app.root.post("/api/hosts/sync?wait=25");
  const seconds = (performance.now() - started) / 1000;
  expect(data.runs[0].status).toBe("succeeded");
  expect(seconds).toBeGreaterThan(1.5);
  const count = await countProgress();
  expect(count).toBeGreaterThan(1);
  expect(count / seconds).toBeLessThanOrEqual(4);
});
