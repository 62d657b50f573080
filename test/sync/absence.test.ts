import { describe, expect, it } from "vitest";
import { setField } from "../harness/faults.ts";
import { syncBench } from "./sync-bench.ts";

const bench = syncBench({ hosts: 60, projects: 2, regions: ["cn-bj2", "hk"] });
const BY_ID = { action: "DescribeUHostInstance", byId: true } as const;

/** A configuration whose hosts are all known. */
async function syncedConfig(): Promise<string> {
  const configId = await bench.config();
  expect(await bench.sync(configId)).toMatchObject({ status: "succeeded", created: 60 });
  return configId;
}

async function held(): Promise<string[]> {
  const rows = await bench.database.query(
    "select ucloud_id as id from hosts where missing_since is not null order by 1",
  );
  return rows.map(({ id }) => String(id));
}

function projectIds(): string[] {
  return bench.simulator.control.projects().map(({ id }) => id);
}

/** A partition with too few hosts for a mass removal. */
function smallPartition() {
  return { region: "hk", projectId: projectIds()[1] ?? "" };
}

describe("a host that its partition does not list", () => {
  it("is marked gone after a lookup by id and never deleted", async () => {
    const configId = await syncedConfig();
    const removed = bench.simulator.control.removeHosts({ region: "cn-bj2", count: 3 });
    bench.simulator.control.resetCalls();
    expect(await bench.sync(configId)).toMatchObject({ status: "succeeded", gone: 3, unchanged: 57, errors: [] });
    expect(await bench.gone()).toEqual(removed.toSorted());
    const requested = bench.simulator.control.calls().last.flatMap(({ ids }) => ids);
    expect(requested.toSorted()).toEqual(removed.toSorted());
  });

  it("returns as the same row with its assignments when it is listed again", async () => {
    const configId = await syncedConfig();
    const [ucloudId] = bench.simulator.control.removeHosts({ count: 1 });
    await bench.sync(configId);
    const row = () => bench.database.query("select id, gone_at from hosts where ucloud_id = $1", [ucloudId]);
    const [before] = await row();
    await bench.database.query(
      `insert into assignments (id, host_id, user_id, user_name, user_username, assigned_at, assigned_expire_time,
         assigned_by, assigned_by_name, created_at)
       values (gen_random_uuid(), $1, gen_random_uuid(), 'a', 'a', 1, 2, gen_random_uuid(), 'b', 1)`,
      [before?.id],
    );
    bench.simulator.control.restoreHosts();
    expect(await bench.sync(configId)).toMatchObject({ status: "succeeded", created: 0, updated: 1, gone: 0 });
    expect(await row()).toEqual([{ id: before?.id, gone_at: null }]);
    const assignments = await bench.database.query("select host_id from assignments where ended_at is null");
    expect(assignments).toEqual([{ host_id: before?.id }]);
  });

  it("stays with all others of its partition when the lookup finds one of them", async () => {
    const configId = await syncedConfig();
    const { control } = bench.simulator;
    const known = await bench.present();
    const [listedAgain = ""] = control.removeHosts({ ...smallPartition(), count: 3 });
    control.hold(BY_ID);
    const run = await bench.process.start(configId);
    await control.waitForHeld();
    control.restoreHosts({ ids: [listedAgain] });
    control.release();
    const ended = await bench.end(run);
    expect(ended).toMatchObject({ status: "partial", gone: 0, errors: [{ ...smallPartition(), code: "incomplete" }] });
    expect(await bench.present()).toEqual(known);
  });

  it("stays when the lookup fails", async () => {
    const configId = await syncedConfig();
    bench.simulator.control.removeHosts({ ...smallPartition(), count: 2 });
    bench.simulator.control.addFaults({ ...BY_ID, fault: setField("TotalCount", 2) });
    const run = await bench.sync(configId);
    const errors = [{ ...smallPartition(), code: "malformed" }];
    expect(run).toMatchObject({ status: "partial", gone: 0, errors });
    expect(await bench.present()).toHaveLength(60);
  });

  it("stays when the lookup finds a record of it that cannot be read", async () => {
    const configId = await syncedConfig();
    const [id = ""] = bench.simulator.control.removeHosts({ ...smallPartition(), count: 1 });
    const record = setField("UHostSet", [{ UHostId: id, CPU: "many" }]);
    bench.simulator.control.addFaults({ ...BY_ID, fault: record });
    expect(await bench.sync(configId)).toMatchObject({ status: "partial", gone: 0, errors: [{ code: "incomplete" }] });
  });
});

describe("a mass removal", () => {
  it("is held with a sentence that gives both numbers, and the hold ends when the hosts are listed again", async () => {
    const configId = await syncedConfig();
    const removed = bench.simulator.control.removeHosts({ region: "cn-bj2", count: 19 });
    const run = await bench.sync(configId);
    expect(run).toMatchObject({ status: "partial", gone: 0 });
    const message = expect.stringMatching(/19 台.*60 台/);
    expect(run.errors).toEqual([{ region: null, projectId: null, code: "mass-removal", message }]);
    expect(await held()).toEqual(removed.toSorted());
    expect(await bench.present()).toHaveLength(60);
    bench.simulator.control.restoreHosts();
    expect(await bench.sync(configId)).toMatchObject({ status: "succeeded", updated: 19, errors: [] });
    expect(await held()).toEqual([]);
  });
});

describe("a partition that lists no host any more", () => {
  it("keeps its hosts until a run at least ten minutes later finds the same", async () => {
    const configId = await syncedConfig();
    const removed = bench.simulator.control.removeHosts(smallPartition());
    const first = await bench.sync(configId);
    expect(first).toMatchObject({ status: "partial", gone: 0, errors: [{ ...smallPartition(), code: "empty" }] });
    expect(await held()).toEqual(removed.toSorted());
    bench.clock.forward(500);
    expect(await bench.sync(configId)).toMatchObject({ status: "partial", gone: 0 });
    bench.clock.forward(150);
    expect(await bench.sync(configId)).toMatchObject({ status: "succeeded", gone: removed.length });
    expect(await bench.gone()).toEqual(removed.toSorted());
  });
});

describe("a region or project that is unavailable", () => {
  const unknownProject = { action: "DescribeUHostInstance", fault: { kind: "retCode", retCode: 292 } } as const;

  it.each(["closed region", "unknown project"])("holds its hosts however long it lasts: %s", async (reason) => {
    const configId = await syncedConfig();
    const { control } = bench.simulator;
    const where = reason === "closed region" ? { region: "hk" } : { projectId: projectIds()[1] };
    const hosts = control.hosts(where).map(({ id }) => id);
    if (where.region === undefined) control.addFaults({ ...unknownProject, ...where });
    else control.setRegionOpen(where.region, false);
    for (const seconds of [0, 700, 700]) {
      bench.clock.forward(seconds);
      const run = await bench.sync(configId);
      expect(run).toMatchObject({ status: "partial", gone: 0 });
      expect(run.errors.map(({ code }) => code)).toEqual(["unavailable", "unavailable"]);
      expect(run.errors).toContainEqual(expect.objectContaining(where));
    }
    expect(await held()).toEqual(hosts.toSorted());
    control.clearFaults();
    for (const region of ["cn-bj2", "hk"]) control.setRegionOpen(region, true);
    expect(await bench.sync(configId)).toMatchObject({ status: "succeeded", updated: hosts.length });
    expect(await held()).toEqual([]);
  });
});

describe("a partition that is not listed any more", () => {
  const regionList = setField("Regions", [{ Region: "cn-bj2", Zone: "cn-bj2-05" }]);

  it("is read while hosts of it are known: those that left are gone, the others stay", async () => {
    const configId = await syncedConfig();
    const { control } = bench.simulator;
    const [first = "", second = ""] = projectIds();
    control.addFaults(
      { action: "GetRegion", fault: regionList },
      { action: "GetProjectList", fault: setField("ProjectSet", [{ ProjectId: first }]) },
    );
    const removed = [
      ...control.removeHosts({ region: "hk", projectId: first, count: 2 }),
      ...control.removeHosts({ region: "cn-bj2", projectId: second, count: 2 }),
    ];
    expect(await bench.sync(configId)).toMatchObject({ status: "succeeded", gone: 4, unchanged: 56, errors: [] });
    expect(await bench.gone()).toEqual(removed.toSorted());
  });
});

it("hosts that two keys see belong to the configuration that found them, which alone marks them gone", async () => {
  const main = await syncedConfig();
  const projectId = projectIds()[0] ?? "";
  const shared = bench.simulator.control.hosts({ projectId, region: "cn-bj2" }).map(({ id }) => id);
  const sub = await bench.config({ ...bench.simulator.sub, projectIds: [projectId] });
  // A sub-account may not list regions, so its runs are partial.
  expect(await bench.sync(sub)).toMatchObject({ status: "partial", updated: 0, unchanged: shared.length });
  const removed = bench.simulator.control.removeHosts({ ids: shared.slice(0, 2) });
  expect(await bench.sync(sub)).toMatchObject({ gone: 0 });
  expect(await bench.sync(main)).toMatchObject({ status: "succeeded", gone: 2 });
  expect(await bench.gone()).toEqual(removed.toSorted());
});
