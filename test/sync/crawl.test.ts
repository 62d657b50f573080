import { describe, expect, test } from "vitest";
import { StoredEvent } from "../../src/server/events/event.ts";
import type { FaultRule } from "../../src/simulator/faults.ts";
import { setField, setHostField } from "../harness/faults.ts";
import { syncBench } from "./sync-bench.ts";

describe("a run", () => {
  const bench = syncBench({ hosts: 450, projects: 2, regions: 5 });

  test("a sync finds every host of every project in every opened region", async () => {
    const run = await bench.sync(await bench.config());
    expect(run).toMatchObject({ status: "succeeded", created: 450, updated: 0, unchanged: 0, gone: 0, rejected: 0 });
    expect(run).toMatchObject({ hostsSeen: 450, hostsTotal: 450, errors: [], regionsDone: run.regionsTotal });
    // 28 of them are closed to the account, which is no error.
    expect(run.regionsTotal).toBe(33);
    expect(await bench.present()).toEqual(hostIds());
  });

  test("a run publishes progress that never counts backwards, each changed host once, and its end last", async () => {
    bench.simulator.control.setLatency(200);
    const run = await bench.sync(await bench.config());
    const events = (await bench.database.query("select type, payload as data from events order by id")).map((row) =>
      StoredEvent.parse(row),
    );
    expect(events[0]).toMatchObject({ type: "sync.progress", data: { id: run.id, status: "queued" } });
    expect(events.filter(({ type }) => type === "sync.finished")).toMatchObject([{ data: run }]);
    expect(events.at(-1)?.type).toBe("sync.finished");
    const counts = events.flatMap(({ data }) => ("hostsSeen" in data ? [data] : []));
    expect(counts.length).toBeGreaterThan(3);
    for (const counter of ["regionsDone", "hostsSeen", "created"] as const) {
      const values = counts.map((data) => data[counter]);
      expect(values).toEqual(values.toSorted((a, b) => a - b));
    }
    const changed = events.flatMap((event) => (event.type === "hosts.changed" ? event.data.hostIds : []));
    expect([changed.length, new Set(changed).size]).toEqual([450, 450]);
  });

  test("a second sync of the same hosts writes no host row and confirms their partitions", async () => {
    const configId = await bench.config();
    await bench.sync(configId);
    const rows = () => bench.database.query("select id, xmin::text, ctid::text, changed_at from hosts order by id");
    const before = await rows();
    await bench.database.query("delete from events");
    bench.clock.forward(60);
    expect(await bench.sync(configId)).toMatchObject({ status: "succeeded", created: 0, updated: 0, unchanged: 450 });
    expect(await rows()).toEqual(before);
    expect(await bench.database.query("select 1 from events where type = 'hosts.changed'")).toEqual([]);
    const [confirmed] = await bench.database.query(
      `select count(*)::int as hosts from hosts h join sync_partitions p using (config_id, project_id, region)
     where p.read_at >= h.changed_at + 60`,
    );
    expect(confirmed).toEqual({ hosts: 450 });
  });

  test("a run makes at most five calls at once, reads pages of 100 and never reads beyond the total", async () => {
    bench.simulator.control.setLatency(5);
    await bench.sync(await bench.config());
    const calls = bench.simulator.control.calls();
    expect(calls.maxConcurrency).toBe(5);
    const listings = calls.last.filter(({ action }) => action === "DescribeUHostInstance");
    expect(new Set(listings.map(({ limit }) => limit))).toEqual(new Set(["100"]));
    for (const { region, projectId, offset } of listings) {
      const total = bench.simulator.control.hosts({ region, projectId }).length;
      expect(Number(offset)).toBeLessThan(Math.max(total, 1));
    }
  });

  test("the default region is read first", async () => {
    await bench.sync(await bench.config({ defaultRegion: "hk" }));
    const listings = bench.simulator.control.calls().last.filter(({ action }) => action === "DescribeUHostInstance");
    expect(listings[0]).toMatchObject({ region: "hk" });
  });

  test("a configuration that names projects reads only these", async () => {
    const [, second] = bench.simulator.control.projects();
    const projectId = second?.id ?? "";
    const run = await bench.sync(await bench.config({ projectIds: [projectId] }));
    expect(run.status).toBe("succeeded");
    expect(await bench.present()).toEqual(hostIds({ projectId }));
  });

  test("a key that may not list regions reads the default region only, with an error", async () => {
    const [first] = bench.simulator.control.projects();
    const projectId = first?.id ?? "";
    const run = await bench.sync(await bench.config({ ...bench.simulator.sub, projectIds: [projectId] }));
    expect(run).toMatchObject({ status: "partial", regionsTotal: 1 });
    expect(run.errors.map(({ code }) => code)).toEqual(["regions-refused"]);
    expect(await bench.present()).toEqual(hostIds({ projectId, region: "cn-bj2" }));
  });

  test("a wrong key fails the run with one error", async () => {
    const run = await bench.sync(await bench.config({ privateKey: "wrong" }));
    expect(run).toMatchObject({ status: "failed", created: 0 });
    expect(run.errors).toMatchObject([{ region: null, projectId: null, code: "unauthorized" }]);
    expect(run.errors[0]?.message).toMatch(/私钥/);
  });

  test("a key that may use no region fails the run", async () => {
    for (const region of bench.simulator.control.regions()) bench.simulator.control.setRegionOpen(region, false);
    const run = await bench.sync(await bench.config());
    expect(run).toMatchObject({ status: "failed" });
    expect(run.errors).toMatchObject([{ code: "not-opened" }]);
  });

  function hostIds(filter: { projectId?: string; region?: string } = {}): string[] {
    return bench.simulator.control
      .hosts(filter)
      .map(({ id }) => id)
      .sort();
  }
});

describe("a run of a provider with faults", () => {
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
    bench.simulator.control.addFaults({
      ...LISTING,
      fault: { kind: "retCode", retCode: 4711, message: "canary-text" },
    });
    const run = await bench.sync(await bench.config());
    expect(JSON.stringify(run)).not.toContain("canary-text");
    expect(run.errors[0]?.message).toContain("4711");
  });
});
