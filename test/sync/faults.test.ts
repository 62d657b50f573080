import { expect, test } from "vitest";
import type { FaultRule } from "../../src/simulator/faults.ts";
import { setField, setHostField } from "../harness/faults.ts";
import { syncBench } from "./sync-bench.ts";

const bench = syncBench({ hosts: 400, projects: 1, regions: ["cn-bj2", "hk"] });
const LISTING = { action: "DescribeUHostInstance", region: "cn-bj2", byId: false } as const;

function rows(count: number, key: string): Record<string, string>[] {
  return Array.from({ length: count }, (_, index) => ({ [key]: `${key}-${index}` }));
}

function listed(action: "GetRegion" | "GetProjectList", count: number): FaultRule {
  const [field, key] = action === "GetRegion" ? ["Regions", "Region"] : ["ProjectSet", "ProjectId"];
  return { action, fault: setField(field, rows(count, key)) };
}

test.for([
  [171, "unauthorized"],
  [294, "ip-refused"],
] as const)(
  "a key that is refused in mid-run (%i) ends the run with one error and keeps what was written",
  async ([retCode, code]) => {
    const configId = await bench.config();
    await bench.sync(configId);
    const known = await bench.present();
    bench.simulator.control.addFaults({ ...LISTING, offset: 100, fault: { kind: "retCode", retCode } });
    const run = await bench.sync(configId);
    expect(run).toMatchObject({ status: "partial", gone: 0, errors: [{ region: null, projectId: null, code }] });
    expect(run.hostsSeen).toBeGreaterThan(0);
    expect(await bench.present()).toEqual(known);
  },
);

test("records of regions and projects that cannot be read make a run partial", async () => {
  const [project] = bench.simulator.control.projects();
  const regions = [{ Region: "cn-bj2" }, { Region: "hk" }, { Region: 7 }];
  const projects = [{ ProjectId: project?.id ?? "" }, { ProjectId: null }];
  bench.simulator.control.addFaults(
    { action: "GetRegion", fault: setField("Regions", regions) },
    { action: "GetProjectList", fault: setField("ProjectSet", projects) },
  );
  const run = await bench.sync(await bench.config());
  expect(run).toMatchObject({ status: "partial", rejected: 2, created: 400 });
  expect(run.errors.map(({ region, code }) => [region, code])).toEqual(Array(2).fill([null, "rejected"]));
});

test("a run keeps 200 errors and counts the others", async () => {
  bench.simulator.control.addFaults(listed("GetProjectList", 150));
  const run = await bench.sync(await bench.config());
  expect(run.status).toBe("failed");
  expect(run.errors).toHaveLength(201);
  expect(run.errors.slice(0, 200).every(({ code }) => code === "project-missing")).toBe(true);
  expect(run.errors.at(-1)).toMatchObject({ region: null, projectId: null, code: "more-errors" });
  expect(run.errors.at(-1)?.message).toMatch(/共有 300 个问题，只列出了 200 个.*请/);
});

test("a run that would read more than 50,000 partitions fails before it reads one", async () => {
  bench.simulator.control.addFaults(listed("GetRegion", 300), listed("GetProjectList", 300));
  const run = await bench.sync(await bench.config());
  expect(run).toMatchObject({ status: "failed", regionsTotal: 0, errors: [{ region: null, code: "too-large" }] });
  expect(bench.simulator.control.calls().byAction.DescribeUHostInstance).toBeUndefined();
});

test("a record that cannot be understood is left out and counted, the others are written", async () => {
  bench.simulator.control.addFaults({
    ...LISTING,
    offset: 0,
    fault: setHostField("Memory", {}, 25),
  });
  const run = await bench.sync(await bench.config());
  expect(run).toMatchObject({ status: "partial", rejected: 4, created: 396 });
  expect(run.errors).toMatchObject([{ region: "cn-bj2", code: "rejected" }]);
});

test("a run that can read no partition fails and keeps every known host", async () => {
  const configId = await bench.config();
  await bench.sync(configId);
  bench.simulator.control.addFaults({ action: "DescribeUHostInstance", fault: { kind: "retCode", retCode: 150 } });
  expect(await bench.sync(configId)).toMatchObject({ status: "failed", gone: 0 });
  expect(await bench.present()).toHaveLength(400);
});

test("text from the provider never reaches a run's errors", async () => {
  bench.simulator.control.addFaults({ ...LISTING, fault: { kind: "retCode", retCode: 4711, message: "canary-text" } });
  const run = await bench.sync(await bench.config());
  expect(JSON.stringify(run)).not.toContain("canary-text");
  expect(run.errors[0]?.message).toContain("4711");
});
