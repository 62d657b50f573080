import { beforeEach, expect, test } from "vitest";
import { refreshHosts } from "../../src/server/sync/refresh-hosts.ts";
import { connectBeside, waitsForLock } from "../harness/database.ts";
import { EMPTY_ANSWER, setField } from "../harness/faults.ts";
import { moveHost } from "./move-host.ts";
import { syncBench } from "./sync-bench.ts";

const bench = syncBench({ hosts: 60, projects: 2, regions: ["cn-bj2", "hk"] });
const LISTING = { action: "DescribeUHostInstance" } as const;
let configId: string;
let from: string;
let to: string;
let moved: string;

beforeEach(async () => {
  configId = await bench.config();
  await bench.sync(configId);
  const { control } = bench.simulator;
  [from = "", to = ""] = control.projects().map(({ id }) => id);
  moved = String(control.hosts({ projectId: from, region: "cn-bj2" })[0]?.id);
});

test("a host that comes to a project which was read before it came is not gone, and written there by the next run", async () => {
  const { control } = bench.simulator;
  const late = { ...LISTING, projectId: from, region: "cn-bj2" };
  control.hold(late);
  const run = await bench.process.start(configId);
  await expect
    .poll(async () => (await bench.run(run)).hostsSeen, { timeout: 10_000 })
    .toBe(60 - control.hosts(late).length);
  moveHost(control, moved, to);
  control.release();
  expect(await bench.end(run)).toMatchObject({ status: "succeeded", hostsSeen: 60, unchanged: 60, gone: 0 });
  expect(await bench.gone()).toEqual([]);
  bench.clock.forward(60);
  expect(await bench.sync(configId)).toMatchObject({ status: "succeeded", updated: 1, gone: 0, errors: [] });
  expect(await bench.database.query("select project_id from hosts where ucloud_id = $1", [moved])).toEqual([
    { project_id: to },
  ]);
});

test("a host that came to a project which cannot be read is not gone, nor is any other of that region", async () => {
  const { control } = bench.simulator;
  moveHost(control, moved, to);
  control.removeHosts({ projectId: from, region: "cn-bj2", count: 1 });
  const [inHongKong] = control.removeHosts({ projectId: from, region: "hk", count: 1 });
  const [unreadable] = control.addFaults({
    ...LISTING,
    projectId: to,
    region: "cn-bj2",
    fault: { kind: "retCode", retCode: 150 },
  });
  const run = await bench.sync(configId);
  expect(run).toMatchObject({ status: "partial", gone: 1 });
  expect(run.errors).toMatchObject([{ region: "cn-bj2", projectId: to, code: "unavailable" }]);
  expect(await bench.gone()).toEqual([inHongKong]);
  control.removeFault(String(unreadable));
  expect(await bench.sync(configId)).toMatchObject({ status: "succeeded", gone: 1, errors: [] });
  expect((await bench.present()).includes(moved)).toBe(true);
});

test("a host that is in no project is gone, though the key may not use one of them any more", async () => {
  const { control } = bench.simulator;
  const removed = control.removeHosts({ projectId: from, region: "cn-bj2", count: 2 });
  control.addFaults({ ...LISTING, projectId: to, fault: { kind: "retCode", retCode: 299 } });
  expect(await bench.sync(configId)).toMatchObject({ status: "partial", gone: 2 });
  expect(await bench.gone()).toEqual(removed.toSorted());
});

test("a host that is found by id in another project takes back that this was found empty", async () => {
  const { control } = bench.simulator;
  const empty = { ...LISTING, projectId: to, region: "cn-bj2", fault: EMPTY_ANSWER } as const;
  moveHost(control, moved, to);
  control.addFaults({ ...empty, byId: false });
  expect(await bench.sync(configId)).toMatchObject({ status: "partial", gone: 0, errors: [{ code: "empty-answer" }] });
  control.addFaults(empty);
  bench.clock.forward(700);
  const run = await bench.sync(configId);
  expect(run).toMatchObject({ status: "partial", errors: [{ projectId: to, code: "empty-answer" }] });
});

test("hosts that have all come to another project leave no empty place behind to wonder at", async () => {
  const { control } = bench.simulator;
  for (const { id } of control.hosts({ projectId: from, region: "hk" })) moveHost(control, id, to);
  expect(await bench.sync(configId)).toMatchObject({ status: "succeeded", errors: [], gone: 0 });
});

test("bug: a host that came to a project which is not listed any more was gone, though it answers", async () => {
  const { control } = bench.simulator;
  moveHost(control, moved, to);
  const [id] = (await bench.database.query("select id from hosts where ucloud_id = $1", [moved])).map((row) => row.id);
  control.addFaults(
    { action: "GetProjectList", fault: setField("ProjectSet", [{ ProjectId: from }]) },
    { action: "GetProjectList", fault: setField("ProjectCount", 1) },
  );
  expect(await bench.sync(configId)).toMatchObject({ status: "partial", gone: 0 });
  const asked = await refreshHosts({ ...bench.process.deps, em: bench.process.deps.em.fork() }, [String(id)]);
  expect(asked.get(String(id))).toBe("present");
  expect(await bench.gone()).toEqual([]);
});

test.for([["has a project that cannot be read", [{ ProjectId: null }], 2, "rejected"]] as const)(
  "bug: a host that came to another project was gone when the list of projects %s",
  async ([, others, count, code]) => {
    const { control } = bench.simulator;
    moveHost(control, moved, to);
    const [id] = (await bench.database.query("select id from hosts where ucloud_id = $1", [moved])).map(
      (row) => row.id,
    );
    const setList = (field: string, value: { ProjectId: string | null }[] | number) =>
      control.addFaults({ action: "GetProjectList", fault: setField(field, value) });
    const faults = [...setList("ProjectSet", [{ ProjectId: from }, ...others]), ...setList("ProjectCount", count)];
    const run = await bench.sync(configId);
    expect(run).toMatchObject({ status: "partial", gone: 0 });
    expect(run.errors).toContainEqual(expect.objectContaining({ code, projectId: null }));
    expect(run.errors.find((error) => error.code === code)?.message).toContain("未标记任何主机为已消失");
    const asked = await refreshHosts({ ...bench.process.deps, em: bench.process.deps.em.fork() }, [String(id)]);
    expect(asked.get(String(id))).toMatchObject({
      code: "PROVIDER_ERROR",
      message: expect.stringContaining("项目列表"),
    });
    expect(await bench.gone()).toEqual([]);
    for (const fault of faults) control.removeFault(fault);
    bench.clock.forward(60);
    expect(await bench.sync(configId)).toMatchObject({ status: "succeeded", updated: 1, gone: 0 });
  },
);

/** The embedded database has one session: nobody else can write while a run does. */
const onServer = test.skipIf(process.env.TEST_DATABASE_URL === undefined);

onServer(
  "bug: a run wrote an older place over what somebody else had written of a host since the run looked",
  async () => {
    moveHost(bench.simulator.control, moved, to);
    await using other = await connectBeside(bench.database);
    await other.query("begin");
    await other.query("update hosts set region = 'hk' where ucloud_id = $1", [moved]);
    const run = await bench.process.start(configId);
    await expect.poll(() => waitsForLock(bench.database), { timeout: 10_000 }).toBe(true);
    await other.query("commit");
    expect(await bench.end(run)).toMatchObject({ status: "succeeded", updated: 0, unchanged: 60, gone: 0 });
    const place = () => bench.database.query("select project_id, region from hosts where ucloud_id = $1", [moved]);
    expect(await place()).toEqual([{ project_id: from, region: "hk" }]);
    expect(await bench.sync(configId)).toMatchObject({ status: "succeeded", gone: 0 });
    expect(await place()).toEqual([{ project_id: to, region: "cn-bj2" }]);
  },
);
