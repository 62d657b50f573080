import { describe, expect, it } from "vitest";
import { assign } from "../harness/data.ts";
import { LOOKUP, useSync } from "./sync-fixture.ts";

const { app, clock, start, end, sync, present, gone, held } = useSync({ projects: 2 });

/** A configuration whose hosts are all known. */
async function syncedConfig(): Promise<string> {
  const configId = await app.config();
  expect(await sync(configId)).toMatchObject({ status: "succeeded", created: 60 });
  return configId;
}

function projectIds(): string[] {
  return app.simulator.control.projects().map(({ id }) => id);
}

/** A partition with too few hosts for a mass removal. */
function smallPartition() {
  return { region: "hk", projectId: projectIds()[1] ?? "" };
}

describe("a host that its partition does not list", () => {
  it("is marked gone after a lookup by id, and returns as the same row", async () => {
    const configId = await syncedConfig();
    const { control } = app.simulator;
    const removed = control.removeHosts({ region: "cn-bj2", count: 3 }).toSorted();
    const rows = () =>
      app.database.query("select id from hosts where ucloud_id = any($1) order by id", [removed]);
    const before = await rows();
    const client = await app.account("client");
    await assign(app, String(before[0]?.id), client.id);
    control.resetCalls();
    expect(await sync(configId)).toMatchObject({
      status: "succeeded",
      gone: 3,
      unchanged: 57,
      errors: [],
    });
    expect(await gone()).toEqual(removed);
    const requested = control.calls().last.flatMap(({ ids }) => ids);
    expect(requested.toSorted()).toEqual(removed);
    control.restoreHosts();
    expect(await sync(configId)).toMatchObject({
      status: "succeeded",
      created: 0,
      updated: 3,
      gone: 0,
    });
    expect(await rows()).toEqual(before);
    expect((await client.get("/api/hosts")).data.hosts).toMatchObject([
      { ...before[0], goneAt: null },
    ]);
  });

  it("stays with all others of its partition when the lookup finds one of them", async () => {
    const configId = await syncedConfig();
    const { control } = app.simulator;
    const [listedAgain = ""] = control.removeHosts({ ...smallPartition(), count: 3 });
    control.hold(LOOKUP);
    const run = await start(configId);
    await control.waitForHeld();
    control.restoreHosts({ ids: [listedAgain] });
    control.release();
    const ended = await end(run);
    expect(ended).toMatchObject({
      status: "partial",
      gone: 0,
      errors: [{ ...smallPartition(), code: "incomplete" }],
    });
    expect(await present()).toHaveLength(60);
  });
});

it("a mass removal is held with a sentence that gives both numbers until seen again", async () => {
  const configId = await syncedConfig();
  const { control } = app.simulator;
  const removed = [
    ...control.removeHosts({ region: "cn-bj2", count: 11 }),
    ...control.removeHosts({ region: "hk", count: 8 }),
  ];
  const run = await sync(configId);
  expect(run).toMatchObject({ status: "partial", gone: 0 });
  const message = expect.stringMatching(/19 台.*60 台/);
  expect(run.errors).toEqual([{ region: null, projectId: null, code: "mass-removal", message }]);
  expect(await held()).toEqual(removed.toSorted());
  expect(await present()).toHaveLength(60);
  control.restoreHosts({ ids: removed.slice(5) });
  const second = await sync(configId);
  expect(second).toMatchObject({
    status: "partial",
    updated: 14,
    gone: 0,
    errors: [{ code: "mass-removal" }],
  });
  expect(await held()).toEqual(removed.slice(0, 5).toSorted());
  control.restoreHosts();
  expect(await sync(configId)).toMatchObject({ status: "succeeded", updated: 5, errors: [] });
  expect(await held()).toEqual([]);
});

it("a partition that lists no host keeps its hosts until a run at least a day later", async () => {
  const configId = await syncedConfig();
  const removed = app.simulator.control.removeHosts(smallPartition());
  const first = await sync(configId);
  expect(first).toMatchObject({
    status: "partial",
    gone: 0,
    errors: [{ ...smallPartition(), code: "empty" }],
  });
  expect(await held()).toEqual(removed.toSorted());

  clock.forward(600);
  expect(await sync(configId)).toMatchObject({ status: "partial", gone: 0 });
  clock.forward(85_700);
  expect(await sync(configId)).toMatchObject({ status: "partial", gone: 0 });
  expect(await held()).toEqual(removed.toSorted());

  clock.forward(137);
  expect(await sync(configId)).toMatchObject({ status: "succeeded", gone: removed.length });
  expect(await gone()).toEqual(removed.toSorted());
});

it("hosts of closed regions are held, and a day longer when then none are listed", async () => {
  const configId = await syncedConfig();
  const { control } = app.simulator;
  for (const region of ["cn-bj2", "hk"]) control.setRegionOpen(region, false);
  expect(await sync(configId)).toMatchObject({ status: "partial", gone: 0 });
  expect(await held()).toHaveLength(60);
  clock.forward(90_137);
  for (const region of ["cn-bj2", "hk"]) control.setRegionOpen(region, true);
  const removed = control.removeHosts(smallPartition());
  const second = await sync(configId);
  expect(second).toMatchObject({
    status: "partial",
    gone: 0,
    errors: [{ ...smallPartition(), code: "empty" }],
  });
  clock.forward(86_411);
  expect(await sync(configId)).toMatchObject({ status: "succeeded", gone: removed.length });
});

it("hosts that two keys see belong to the configuration that found them", async () => {
  const main = await syncedConfig();
  const projectId = projectIds()[0] ?? "";
  const shared = app.simulator.control.hosts({ projectId, region: "cn-bj2" }).map(({ id }) => id);
  const sub = await app.config({ ...app.simulator.sub, projectIds: [projectId] });
  // A sub-account may not list regions, so its runs are partial.
  expect(await sync(sub)).toMatchObject({
    status: "partial",
    updated: 0,
    unchanged: shared.length,
  });
  const removed = app.simulator.control.removeHosts({ ids: shared.slice(0, 2) });
  expect(await sync(sub)).toMatchObject({ gone: 0 });
  expect(await sync(main)).toMatchObject({ status: "succeeded", gone: 2 });
  expect(await gone()).toEqual(removed.toSorted());
});

it("a run that may not list the projects leaves the project of a host as it is known", async () => {
  const configId = await syncedConfig();
  app.simulator.control.addFaults({
    action: "GetProjectList",
    fault: { kind: "retCode", retCode: 299 },
  });
  const counts = { hostsTotal: 60, hostsSeen: 60, updated: 0, gone: 0 };
  const run = await sync(configId);
  expect(run).toMatchObject({
    status: "partial",
    ...counts,
    errors: [{ code: "projects-refused" }],
  });
});
