import { describe, expect, test } from "vitest";
import type { FaultRule } from "../../src/simulator/faults.ts";
import {
  dropHostField,
  EMPTY_ANSWER,
  growingTotal,
  httpStatus,
  NOT_JSON,
  overlappingPages,
  setField,
  setHostField,
  wrongTotal,
} from "../harness/faults.ts";
import { expectNoLoss, LISTING, SECOND_PAGE } from "./faulty-answers.ts";
import { syncBench } from "./sync-bench.ts";

const bench = syncBench({ hosts: 400, projects: 1, regions: ["cn-bj2", "hk"] }, { attemptTimeoutMs: 1_700 });

function rows(count: number, key: string): Record<string, string>[] {
  return Array.from({ length: count }, (_, index) => ({ [key]: `${key}-${index}` }));
}

function listed(action: "GetRegion" | "GetProjectList", count: number): FaultRule {
  const [field, key] = action === "GetRegion" ? ["Regions", "Region"] : ["ProjectSet", "ProjectId"];
  return { action, fault: setField(field, rows(count, key)) };
}

/** One of each kind; the others are in test/slow/sync. */
const INCONCLUSIVE: Readonly<Record<string, FaultRule>> = {
  "a region whose permission was taken away": { ...LISTING, fault: { kind: "retCode", retCode: 299 } },
  "connections that are reset": { ...LISTING, fault: { kind: "reset", at: "middle" } },
  "HTML instead of JSON": { ...SECOND_PAGE, fault: NOT_JSON },
  "hosts that are an object": { ...LISTING, fault: setField("UHostSet", {}) },
  "hosts without an id": { ...LISTING, fault: dropHostField("UHostId", 10) },
  "an absurd total": { ...LISTING, fault: setField("TotalCount", 2_000_000_000) },
  "a total that always moves": { ...LISTING, fault: growingTotal(3) },
  "an empty answer where hosts were": { ...LISTING, fault: EMPTY_ANSWER },
  "overlapping pages": { ...LISTING, fault: overlappingPages(99) },
  "an id that comes twice": { ...LISTING, fault: { kind: "duplicateHosts", which: "first" } },
};

describe("a run over known hosts ends as partial and neither loses nor doubles a host when the provider answers with", () => {
  test.for(Object.entries(INCONCLUSIVE))("%s", ([, rule]) => expectNoLoss(bench, rule));
});

test("the error for unreadable hosts names up to three different reasons", async () => {
  const configId = await bench.config();
  // No two of these spacings share a multiple at once, so that each field is some host's only bad one.
  const spacings = { OsType: 7, Memory: 5, State: 3, Zone: 2 };
  for (const [field, every] of Object.entries(spacings)) {
    bench.simulator.control.addFaults({ ...LISTING, fault: setHostField(field, {}, every) });
  }
  const run = await bench.sync(configId);
  expect(run).toMatchObject({ status: "partial", errors: [{ code: "rejected" }] });
  const named = Object.keys(spacings).filter((field) => run.errors[0]?.message.includes(field));
  expect(named).toHaveLength(3);
  expect(run.errors[0]?.message).toMatch(/；等）/);
});

test.for([
  [171, "unauthorized"],
  [294, "ip-refused"],
] as const)(
  "a key that is refused in mid-run (%i) ends the run with one error and keeps what was written",
  async ([retCode, code]) => {
    const configId = await bench.config();
    await bench.sync(configId);
    const known = await bench.present();
    bench.simulator.control.addFaults({ ...SECOND_PAGE, fault: { kind: "retCode", retCode } });
    const run = await bench.sync(configId);
    expect(run).toMatchObject({ status: "partial", gone: 0, errors: [{ region: null, projectId: null, code }] });
    expect(run.hostsSeen).toBeGreaterThan(0);
    expect(await bench.present()).toEqual(known);
  },
);

test("a project record that cannot be read makes a run partial", async () => {
  const configId = await bench.config();
  await bench.sync(configId);
  const [row] = await bench.database.query("select project_id from hosts limit 1");
  const value = [{ ProjectId: String(row?.project_id) }, { ProjectId: null }];
  bench.simulator.control.addFaults({
    action: "GetProjectList",
    fault: setField("ProjectSet", value),
  });
  const run = await bench.sync(configId);
  expect(run).toMatchObject({ status: "partial", rejected: 1, unchanged: 400, errors: [{ code: "rejected" }] });
});

test("a region record that cannot be read makes a first run partial", async () => {
  bench.simulator.control.addFaults({
    action: "GetRegion",
    fault: setField("Regions", [{ Region: "cn-bj2" }, { Region: 7 }]),
  });
  const run = await bench.sync(await bench.config());
  expect(run).toMatchObject({ status: "partial", rejected: 1, errors: [{ region: null, code: "rejected" }] });
});

test("projects that the provider does not know are errors, of which a run keeps 200 and counts the others", async () => {
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

test("a region that lists a host of another region loses none of its own", async () => {
  const configId = await bench.config();
  await bench.sync(configId);
  const known = await bench.present();
  const [stolen] = await bench.database.query("select ucloud_id from hosts where region = 'cn-bj2' limit 1");
  bench.simulator.control.addFaults({
    ...LISTING,
    region: "hk",
    fault: setHostField("UHostId", String(stolen?.ucloud_id), 1_000),
  });
  const run = await bench.sync(configId);
  const errors = [{ region: "hk", code: "incomplete", message: expect.stringContaining("1 台") }];
  expect(run).toMatchObject({ status: "partial", created: 0, gone: 0, errors });
  expect(await bench.present()).toEqual(known);
});

test("a second page that says that the region is closed leaves the list incomplete", async () => {
  bench.simulator.control.addFaults({ ...SECOND_PAGE, fault: { kind: "retCode", retCode: 230 } });
  const run = await bench.sync(await bench.config());
  expect(run).toMatchObject({ status: "partial", errors: [{ region: "cn-bj2", code: "incomplete" }] });
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

test("a record that cannot be understood counts once when pages overlap", async () => {
  const configId = await bench.config();
  const { control } = bench.simulator;
  const bad = control.hosts({ region: "cn-bj2" })[99]?.id ?? "";
  control.updateHosts({ ids: [bad] }, { CPU: "many" });
  control.addFaults({ ...LISTING, fault: overlappingPages(10) });
  const run = await bench.sync(configId);
  expect(run).toMatchObject({ status: "partial", rejected: 1 });
  expect(run.errors).toContainEqual(
    expect.objectContaining({ code: "rejected", message: expect.stringMatching(/^1 条/) }),
  );
});

test("a host whose disks, addresses or expiry are missing is accepted", async () => {
  bench.simulator.control.addFaults(
    { ...LISTING, fault: setHostField("DiskSet", null) },
    { ...LISTING, fault: setHostField("IPSet", null) },
    { ...LISTING, fault: dropHostField("ExpireTime") },
  );
  expect(await bench.sync(await bench.config())).toMatchObject({ status: "succeeded", created: 400, rejected: 0 });
});

test("a throttled run succeeds later", async () => {
  bench.simulator.control.addFaults({
    action: "DescribeUHostInstance",
    times: 6,
    fault: { kind: "retCode", retCode: 153 },
  });
  expect(await bench.sync(await bench.config())).toMatchObject({ status: "succeeded", created: 400, errors: [] });
});

test("a read that fails once or twice is retried", async () => {
  bench.simulator.control.addFaults(
    { action: "GetRegion", nth: 1, fault: { kind: "reset" } },
    { action: "DescribeUHostInstance", nth: 2, times: 2, fault: httpStatus(502) },
    { action: "DescribeUHostInstance", nth: 5, fault: { kind: "retCode", retCode: "8857" } },
  );
  expect(await bench.sync(await bench.config())).toMatchObject({ status: "succeeded", created: 400, errors: [] });
});

test("a list that changes once while it is read is read a second time and then complete", async () => {
  bench.simulator.control.addFaults({ ...SECOND_PAGE, nth: 1, fault: wrongTotal(1) });
  expect(await bench.sync(await bench.config())).toMatchObject({ status: "succeeded", created: 400, errors: [] });
});

test("a list that changes and is then refused is incomplete", async () => {
  bench.simulator.control.addFaults(
    { ...SECOND_PAGE, nth: 1, fault: wrongTotal(1) },
    { ...LISTING, offset: 0, nth: 2, fault: { kind: "retCode", retCode: 230 } },
  );
  const run = await bench.sync(await bench.config());
  expect(run).toMatchObject({ status: "partial", errors: [{ region: "cn-bj2", code: "incomplete" }] });
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
