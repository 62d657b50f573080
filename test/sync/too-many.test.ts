import { expect, test } from "vitest";
import { syncBench } from "./sync-bench.ts";

const MOST = 1_000;
const bench = syncBench({ hosts: 0, projects: 1, regions: ["cn-bj2", "hk"] }, {}, { maxHosts: MOST });
const TOO_MANY = {
  region: null,
  projectId: null,
  code: "too-many-hosts",
  message: expect.stringMatching(/超过 1000 台的上限.*已写入的主机保留.*请/),
};

test("a provider that names more hosts than there can be is read no further; what was written stays, and nothing is gone", async () => {
  const configId = await bench.config();
  const [lost = ""] = bench.simulator.control.addHosts({ region: "hk", count: 900 });
  await bench.sync(configId);
  bench.simulator.control.removeHosts({ ids: [lost] });
  bench.simulator.control.addHosts({ region: "cn-bj2", count: 8_000 });
  bench.simulator.control.resetCalls();
  const run = await bench.sync(configId);
  expect(run).toMatchObject({ status: "partial", gone: 0, errors: [TOO_MANY] });
  const present = await bench.present();
  expect(present).toContain(lost);
  expect(present.length).toBe(MOST);
  expect(run).toMatchObject({ created: 100, hostsSeen: 100 + run.unchanged });
  expect(bench.simulator.control.calls().total).toBeLessThan(30);
});

test("a provider that makes up other hosts for every run does not fill the database", async () => {
  const configId = await bench.config();
  for (const created of [400, 400, 200, 0, 0]) {
    bench.simulator.control.addHosts({ region: "cn-bj2", count: 400 });
    const run = await bench.sync(configId);
    expect(run).toMatchObject({ created, gone: 0 });
    if (created < 400) expect(run).toMatchObject({ status: "partial", errors: [TOO_MANY] });
    bench.simulator.control.removeHosts({});
  }
  expect((await bench.present()).length).toBe(MOST);
});

test("as many as there may be are nothing to complain of", async () => {
  bench.simulator.control.addHosts({ region: "cn-bj2", count: MOST });
  const configId = await bench.config();
  for (const counts of [{ created: MOST }, { unchanged: MOST }]) {
    expect(await bench.sync(configId)).toMatchObject({ status: "succeeded", ...counts, errors: [] });
  }
});
