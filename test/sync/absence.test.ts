import { beforeEach, describe, expect, it } from "vitest";
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
  it("is marked gone after a lookup by id", async () => {
    const configId = await syncedConfig();
    const { control } = app.simulator;
    const removed = control.removeHosts({ region: "cn-bj2", count: 3 }).toSorted();
    control.resetCalls();

    const run = await sync(configId);

    expect(run).toMatchObject({ status: "succeeded", gone: 3, unchanged: 57, errors: [] });
    expect(await gone()).toEqual(removed);
    const requested = control.calls().last.flatMap(({ ids }) => ids);
    expect(requested.toSorted()).toEqual(removed);
  });

  it("returns as the same row, with its assignments", async () => {
    const configId = await syncedConfig();
    const { control } = app.simulator;
    const removed = control.removeHosts({ region: "cn-bj2", count: 3 });
    const rows = () =>
      app.database.query("select id from hosts where ucloud_id = any($1) order by id", [removed]);
    const before = await rows();
    const client = await app.account("client");
    await assign(app, String(before[0]?.id), client.id);
    await sync(configId);
    control.restoreHosts();

    const run = await sync(configId);

    expect(run).toMatchObject({ status: "succeeded", created: 0, updated: 3, gone: 0 });
    expect(await rows()).toEqual(before);
    const { data } = await client.get("/api/hosts");
    expect(data.hosts).toMatchObject([{ ...before[0], goneAt: null }]);
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

describe("a mass removal", () => {
  let configId: string;
  let removed: string[];

  beforeEach(async () => {
    configId = await syncedConfig();
    const { control } = app.simulator;
    removed = [
      ...control.removeHosts({ region: "cn-bj2", count: 11 }),
      ...control.removeHosts({ region: "hk", count: 8 }),
    ];
  });

  it("is held with a sentence that gives both numbers", async () => {
    const run = await sync(configId);

    const message = expect.stringMatching(/19 台.*60 台/);
    const error = { region: null, projectId: null, code: "mass-removal", message };
    expect(run).toMatchObject({ status: "partial", gone: 0 });
    expect(run.errors).toEqual([error]);
    expect(await held()).toEqual(removed.toSorted());
    expect(await present()).toHaveLength(60);
  });

  it("stays held for those that are missing when some are seen again", async () => {
    await sync(configId);
    app.simulator.control.restoreHosts({ ids: removed.slice(5) });

    const run = await sync(configId);

    const errors = [{ code: "mass-removal" }];
    expect(run).toMatchObject({ status: "partial", updated: 14, gone: 0, errors });
    expect(await held()).toEqual(removed.slice(0, 5).toSorted());
  });

  it("ends when all are seen again", async () => {
    await sync(configId);
    app.simulator.control.restoreHosts();

    const run = await sync(configId);

    expect(run).toMatchObject({ status: "succeeded", updated: 19, errors: [] });
    expect(await held()).toEqual([]);
  });
});

it("a partition that lists no host keeps its hosts until a run at least a day later", async () => {
  const configId = await syncedConfig();
  const removed = app.simulator.control.removeHosts(smallPartition());

  const first = await sync(configId);
  clock.forward(600);
  const soon = await sync(configId);
  clock.forward(85_700);
  const almostADayLater = await sync(configId);
  const heldUntilThen = await held();
  clock.forward(137);
  const later = await sync(configId);

  const kept = { status: "partial", gone: 0 };
  expect(first).toMatchObject({ ...kept, errors: [{ ...smallPartition(), code: "empty" }] });
  expect([soon, almostADayLater]).toMatchObject([kept, kept]);
  expect(heldUntilThen).toEqual(removed.toSorted());
  expect(later).toMatchObject({ status: "succeeded", gone: removed.length });
  expect(await gone()).toEqual(removed.toSorted());
});

it("hosts of closed regions are held, and a day longer when then none are listed", async () => {
  const configId = await syncedConfig();
  const { control } = app.simulator;
  const setOpen = (isOpen: boolean) => {
    for (const region of ["cn-bj2", "hk"]) control.setRegionOpen(region, isOpen);
  };

  setOpen(false);
  const whileClosed = await sync(configId);
  const heldWhileClosed = await held();
  clock.forward(90_137);
  setOpen(true);
  const removed = control.removeHosts(smallPartition());
  const whileEmpty = await sync(configId);
  clock.forward(86_411);
  const later = await sync(configId);

  const kept = { status: "partial", gone: 0 };
  expect(whileClosed).toMatchObject(kept);
  expect(heldWhileClosed).toHaveLength(60);
  expect(whileEmpty).toMatchObject({ ...kept, errors: [{ ...smallPartition(), code: "empty" }] });
  expect(later).toMatchObject({ status: "succeeded", gone: removed.length });
});

it("an empty region with over 30 % of the hosts says that a person must decide", async () => {
  const configId = await syncedConfig();
  const removed = app.simulator.control.removeHosts({ region: "cn-bj2" });

  const first = await sync(configId);
  clock.forward(86_537);
  const later = await sync(configId);

  const told = `列表为空的地域共有 ${removed.length} 台主机（现有 60 台），超过 30%`;
  const message = expect.stringMatching(new RegExp(`返回空列表.*${told}，24 小时后仍为空也须人工`));
  expect(first.errors.map(({ code }) => code)).toEqual(["empty", "empty"]);
  expect(first.errors).toMatchObject([{ message }, { message }]);
  expect(later).toMatchObject({ status: "partial", gone: 0, errors: [{ code: "mass-removal" }] });
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

  const run = await sync(configId);

  expect(run).toMatchObject({
    status: "partial",
    hostsTotal: 60,
    hostsSeen: 60,
    updated: 0,
    gone: 0,
    errors: [{ code: "projects-refused" }],
  });
});
