import { expect, test } from "vitest";
import { cancelSync } from "../../src/server/sync/cancel.ts";
import { EMPTY_ANSWER, EMPTY_PAGE, setField, setHostField, wrongTotal } from "../harness/faults.ts";
import { syncBench } from "./sync-bench.ts";

const bench = syncBench({ hosts: 60, projects: 1, regions: ["cn-bj2", "hk"] });
const LISTING = { action: "DescribeUHostInstance", byId: false } as const;

test("a host that left the provider is marked gone after a second look by id, never deleted", async () => {
  const configId = await bench.config();
  await bench.sync(configId);
  const removed = bench.simulator.control.removeHosts({ region: "cn-bj2", count: 3 });
  bench.simulator.control.resetCalls();
  expect(await bench.sync(configId)).toMatchObject({ status: "succeeded", gone: 3, unchanged: 57, errors: [] });
  expect(await bench.gone()).toEqual(removed.toSorted());
  const looks = bench.simulator.control.calls().last.filter(({ ids }) => ids.length > 0);
  expect(looks.flatMap(({ ids }) => ids).sort()).toEqual(removed.toSorted());
});

test("a host that comes back is the same row, with its assignments", async () => {
  const configId = await bench.config();
  await bench.sync(configId);
  const [id] = bench.simulator.control.removeHosts({ count: 1 });
  await bench.sync(configId);
  const row = async () => {
    const rows = await bench.database.query("select id, gone_at, config_id from hosts where ucloud_id = $1", [id]);
    return rows[0];
  };
  const before = await row();
  await bench.database.query(
    `insert into assignments (id, host_id, user_id, user_name, user_username, assigned_at, assigned_expire_time,
       assigned_by, assigned_by_name, created_at)
     values (gen_random_uuid(), $1, gen_random_uuid(), 'a', 'a', 1, 2, gen_random_uuid(), 'b', 1)`,
    [before?.id],
  );
  bench.simulator.control.restoreHosts();
  expect(await bench.sync(configId)).toMatchObject({ status: "succeeded", created: 0, updated: 1, gone: 0 });
  expect(await row()).toEqual({ id: before?.id, gone_at: null, config_id: configId });
  expect(await bench.database.query("select host_id from assignments where ended_at is null")).toEqual([
    { host_id: before?.id },
  ]);
});

test("a host of a removed configuration comes back through another one as the same row", async () => {
  const configId = await bench.config();
  await bench.sync(configId);
  const ids = await bench.database.query("select id from hosts order by id");
  await bench.database.query("update hosts set gone_at = 1, config_id = null");
  const other = await bench.config();
  expect(await bench.sync(other)).toMatchObject({ status: "succeeded", created: 0, updated: 60 });
  expect(await bench.database.query("select id from hosts where gone_at is null order by id")).toEqual(ids);
  expect(await bench.database.query("select distinct config_id from hosts")).toEqual([{ config_id: other }]);
});

test("a host that the list leaves out but the look by id finds is not gone, nor is any other of that place", async () => {
  const configId = await bench.config();
  await bench.sync(configId);
  const known = await bench.present();
  const [found = ""] = bench.simulator.control.removeHosts({ region: "cn-bj2", count: 3 });
  bench.simulator.control.hold({ ...LISTING, byId: true });
  const run = await bench.process.start(configId);
  await bench.simulator.control.waitForHeld();
  bench.simulator.control.restoreHosts({ ids: [found] });
  bench.simulator.control.release();
  const ended = await bench.end(run);
  expect(ended).toMatchObject({ status: "partial", gone: 0 });
  expect(ended.errors).toMatchObject([{ region: "cn-bj2", code: "incomplete" }]);
  expect(await bench.present()).toEqual(known);
});

test.for([
  ["counts hosts without naming them", EMPTY_PAGE],
  ["names hosts that cannot be read", setHostField("CPU", "many")],
] as const)("a second look that %s proves nothing", async ([, fault]) => {
  const configId = await bench.config();
  await bench.sync(configId);
  const known = await bench.present();
  bench.simulator.control.removeHosts({ region: "cn-bj2", count: 2 });
  bench.simulator.control.hold({ ...LISTING, byId: true });
  const run = await bench.process.start(configId);
  await bench.simulator.control.waitForHeld();
  bench.simulator.control.restoreHosts();
  bench.simulator.control.addFaults({ ...LISTING, byId: true, fault });
  bench.simulator.control.release();
  expect(await bench.end(run)).toMatchObject({ status: "partial", gone: 0 });
  expect(await bench.present()).toEqual(known);
});

test("when the second look fails nothing of that place is gone, and the run is partial", async () => {
  const configId = await bench.config();
  await bench.sync(configId);
  bench.simulator.control.removeHosts({ region: "cn-bj2", count: 2 });
  bench.simulator.control.addFaults({ ...LISTING, byId: true, fault: { kind: "retCode", retCode: 150 } });
  const run = await bench.sync(configId);
  expect(run).toMatchObject({ status: "partial", gone: 0 });
  expect(run.errors).toMatchObject([{ region: "cn-bj2", code: "unavailable" }]);
  expect((await bench.present()).length).toBe(60);
});

test("a second look that ignores the ids proves nothing", async () => {
  const configId = await bench.config();
  await bench.sync(configId);
  bench.simulator.control.removeHosts({ region: "cn-bj2", count: 2 });
  bench.simulator.control.addFaults({
    ...LISTING,
    byId: true,
    fault: setField("UHostSet", [{ UHostId: "uhost-someoneelse" }]),
  });
  expect(await bench.sync(configId)).toMatchObject({ status: "partial", gone: 0 });
});

test("a run that would mark more than 30 percent gone marks none, and says so with numbers", async () => {
  const configId = await bench.config();
  await bench.sync(configId);
  bench.simulator.control.removeHosts({ region: "cn-bj2", count: 19 });
  const run = await bench.sync(configId);
  expect(run).toMatchObject({ status: "partial", gone: 0 });
  expect(run.errors).toMatchObject([{ region: null, projectId: null, code: "hosts-missing-guard" }]);
  expect(run.errors[0]?.message).toMatch(/19 台.*60 台/);
  expect((await bench.present()).length).toBe(60);
});

test("18 of 60 hosts are 30 percent and may go", async () => {
  const configId = await bench.config();
  await bench.sync(configId);
  bench.simulator.control.removeHosts({ region: "cn-bj2", count: 18 });
  expect(await bench.sync(configId)).toMatchObject({ status: "succeeded", gone: 18 });
});

test("a place that is suddenly empty is in doubt until it has been so for ten minutes", async () => {
  const configId = await bench.config();
  await bench.sync(configId);
  const inHongKong = bench.simulator.control.removeHosts({ region: "hk" });
  expect(inHongKong.length).toBeGreaterThan(0);
  expect(inHongKong.length).toBeLessThan(18);
  const first = await bench.sync(configId);
  expect(first).toMatchObject({ status: "partial", gone: 0 });
  expect(first.errors).toMatchObject([{ region: "hk", code: "empty-answer" }]);
  bench.clock.forward(500);
  expect(await bench.sync(configId)).toMatchObject({ status: "partial", gone: 0 });
  bench.clock.forward(150);
  expect(await bench.sync(configId)).toMatchObject({ status: "succeeded", gone: inHongKong.length });
  expect(await bench.gone()).toEqual(inHongKong.toSorted());
});

test("an empty answer that heals starts its ten minutes anew the next time", async () => {
  const configId = await bench.config();
  await bench.sync(configId);
  const empty = { ...LISTING, region: "hk", fault: EMPTY_ANSWER } as const;
  const [fault] = bench.simulator.control.addFaults(empty);
  expect(await bench.sync(configId)).toMatchObject({ status: "partial" });
  bench.simulator.control.removeFault(fault ?? "");
  bench.clock.forward(700);
  expect(await bench.sync(configId)).toMatchObject({ status: "succeeded", gone: 0 });
  bench.simulator.control.addFaults(empty);
  expect(await bench.sync(configId)).toMatchObject({ status: "partial", gone: 0 });
});

test.for([
  ["not as many as there are said to be", wrongTotal(1), "incomplete"],
  ["none of them readable", setHostField("CPU", "many"), "rejected"],
] as const)("an empty answer is forgotten once hosts were listed again, %s", async ([, fault, code]) => {
  const configId = await bench.config();
  await bench.sync(configId);
  const empty = { ...LISTING, region: "hk", fault: EMPTY_ANSWER } as const;
  const [first] = bench.simulator.control.addFaults(empty);
  expect(await bench.sync(configId)).toMatchObject({ status: "partial" });
  bench.simulator.control.removeFault(first ?? "");
  const [second] = bench.simulator.control.addFaults({ ...LISTING, region: "hk", fault });
  expect(await bench.sync(configId)).toMatchObject({ status: "partial", gone: 0, errors: [{ region: "hk", code }] });
  bench.simulator.control.removeFault(second ?? "");
  bench.clock.forward(700);
  bench.simulator.control.removeHosts({ region: "hk" });
  const run = await bench.sync(configId);
  expect(run).toMatchObject({ status: "partial", gone: 0, errors: [{ region: "hk", code: "empty-answer" }] });
});

test("an empty answer is forgotten by a run that met hosts there, even if it was cancelled before its end", async () => {
  const { control } = bench.simulator;
  const configId = await bench.config();
  await bench.sync(configId);
  const empty = { action: "DescribeUHostInstance", region: "hk", fault: EMPTY_ANSWER } as const;
  const [fault] = control.addFaults(empty);
  expect(await bench.sync(configId)).toMatchObject({ status: "partial", gone: 0 });
  control.removeFault(fault ?? "");
  bench.clock.forward(300);
  control.hold({ ...LISTING, region: "cn-bj2" });
  const run = await bench.process.start(configId);
  const inHongKong = control.hosts({ region: "hk" }).length;
  await expect.poll(async () => (await bench.run(run)).hostsSeen, { timeout: 10_000 }).toBe(inHongKong);
  await cancelSync({ ...bench.process.deps, em: bench.process.deps.em.fork() }, { id: run });
  control.release();
  control.addFaults(empty);
  bench.clock.forward(400);
  const last = await bench.sync(configId);
  expect(last).toMatchObject({ status: "partial", gone: 0, errors: [{ region: "hk", code: "empty-answer" }] });
});

test("an answer that stays empty takes no host away that the look by id still finds", async () => {
  const configId = await bench.config();
  await bench.sync(configId);
  bench.simulator.control.addFaults({ ...LISTING, region: "hk", fault: EMPTY_ANSWER });
  await bench.sync(configId);
  bench.clock.forward(700);
  expect(await bench.sync(configId)).toMatchObject({ status: "partial", gone: 0, hostsSeen: 60 });
  expect((await bench.present()).length).toBe(60);
  // What was found began the ten minutes anew.
  bench.simulator.control.removeHosts({ region: "hk" });
  const run = await bench.sync(configId);
  expect(run).toMatchObject({ status: "partial", gone: 0, errors: [{ region: "hk", code: "empty-answer" }] });
});

test("a region that was closed keeps its hosts, and the run says so", async () => {
  const configId = await bench.config();
  await bench.sync(configId);
  bench.simulator.control.setRegionOpen("hk", false);
  const run = await bench.sync(configId);
  expect(run).toMatchObject({ status: "partial", gone: 0 });
  expect(run.errors).toMatchObject([{ region: "hk", code: "not-opened" }]);
  expect((await bench.present()).length).toBe(60);
});

test("a region that is not listed any more keeps its hosts, and the run says so", async () => {
  const configId = await bench.config();
  await bench.sync(configId);
  bench.simulator.control.addFaults({
    action: "GetRegion",
    fault: setField("Regions", [{ Region: "cn-bj2", Zone: "cn-bj2-05", IsDefault: true }]),
  });
  const run = await bench.sync(configId);
  expect(run).toMatchObject({ status: "partial", gone: 0, regionsTotal: 1 });
  expect(run.errors).toMatchObject([{ region: "hk", code: "place-missing" }]);
});

test("hosts of another configuration are none of this one's business", async () => {
  const owner = await bench.config();
  await bench.sync(owner);
  const other = await bench.config();
  bench.simulator.control.removeHosts({ count: 4 });
  expect(await bench.sync(other)).toMatchObject({ status: "succeeded", gone: 0, unchanged: 56 });
  expect((await bench.present()).length).toBe(60);
  expect(await bench.sync(owner)).toMatchObject({ status: "succeeded", gone: 4 });
});
