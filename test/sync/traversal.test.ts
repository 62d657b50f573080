import { expect, test } from "vitest";
import { setField } from "../harness/faults.ts";
import { moveHost } from "./move-host.ts";
import { syncBench } from "./sync-bench.ts";

const bench = syncBench({ hosts: 450, projects: 2, regions: 5 });

test("a sync finds every host of every project in every opened region", async () => {
  const run = await bench.sync(await bench.config());
  expect(run).toMatchObject({ status: "succeeded", created: 450, updated: 0, unchanged: 0, gone: 0, rejected: 0 });
  expect(run).toMatchObject({ hostsSeen: 450, hostsTotal: 450, errors: [], regionsDone: run.regionsTotal });
  expect(await bench.present()).toEqual(hostIds());
});

test("a second sync of the same hosts writes no host row and confirms them by their place", async () => {
  const configId = await bench.config();
  await bench.sync(configId);
  const rows = () => bench.database.query("select id, xmin::text, ctid::text, changed_at from hosts order by id");
  const before = await rows();
  bench.clock.forward(60);
  expect(await bench.sync(configId)).toMatchObject({ status: "succeeded", created: 0, updated: 0, unchanged: 450 });
  expect(await rows()).toEqual(before);
  const [confirmed] = await bench.database.query(
    `select count(*)::int as hosts from hosts h join sync_partitions p using (config_id, project_id, region)
     where p.read_at >= h.changed_at + 60`,
  );
  expect(confirmed).toEqual({ hosts: 450 });
});

test("only what changed is written", async () => {
  const configId = await bench.config();
  await bench.sync(configId);
  const changed = bench.simulator.control.updateHosts({ count: 7 }, { Name: "改名", State: "Stopped" });
  expect(await bench.sync(configId)).toMatchObject({ created: 0, updated: 7, unchanged: 443 });
  const named = await bench.database.query("select ucloud_id from hosts where name = '改名' and status = 'Stopped'");
  expect(named.map((row) => row.ucloud_id).sort()).toEqual(changed.toSorted());
});

test("names arrive as they are, whatever JSON or PostgreSQL would make of their signs, new and changed", async () => {
  const names = [
    '引号"和\\反斜线',
    "\\n不是换行",
    "换行\n回车\r制表\t",
    "{花括号,逗号}",
    "NULL",
    "null",
    "'单引号'",
    "🖥️ 主机",
    "\u0001\u001f",
  ];
  const configId = await bench.config();
  const { control } = bench.simulator;
  for (const first of [0, 3]) {
    const [...ids] = control
      .hosts()
      .slice(first, first + names.length)
      .map(({ id }) => id);
    for (const [index, id] of ids.entries()) control.updateHosts({ ids: [id] }, { Name: names[index] ?? "" });
    expect(await bench.sync(configId)).toMatchObject({ status: "succeeded", rejected: 0 });
    const rows = await bench.database.query("select ucloud_id as id, name from hosts where ucloud_id = any($1)", [ids]);
    const stored = new Map(rows.map(({ id, name }) => [id, name]));
    expect(ids.map((id) => stored.get(id))).toEqual(names);
  }
});

test("the provider is asked by at most five calls at once, in pages of 100, never beyond the total", async () => {
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
  // Five are asked for at once.
  expect(listings.slice(0, 5).filter(({ region }) => region === "hk")).toHaveLength(2);
});

test("a region that the account may not use is not an error", async () => {
  const run = await bench.sync(await bench.config());
  expect(run.regionsTotal).toBe(bench.simulator.control.regions("all").length);
  expect(bench.simulator.control.regions().length).toBe(5);
  expect(run).toMatchObject({ status: "succeeded", errors: [] });
});

test("a configuration that names projects reads only these", async () => {
  const [, second] = bench.simulator.control.projects();
  const projectId = second?.id ?? "";
  const run = await bench.sync(await bench.config({ projectIds: [projectId] }));
  expect(run.status).toBe("succeeded");
  expect(await bench.present()).toEqual(hostIds({ projectId }));
});

test("a key that may not list regions reads the default region, and says so", async () => {
  const [first] = bench.simulator.control.projects();
  const projectId = first?.id ?? "";
  const run = await bench.sync(await bench.config({ ...bench.simulator.sub, projectIds: [projectId] }));
  expect(run).toMatchObject({ status: "partial", regionsTotal: 1 });
  expect(run.errors.map(({ code }) => code)).toEqual(["regions-refused"]);
  expect(await bench.present()).toEqual(hostIds({ projectId, region: "cn-bj2" }));
});

test("a wrong key fails the run with a sentence and writes nothing", async () => {
  const run = await bench.sync(await bench.config({ privateKey: "wrong" }));
  expect(run).toMatchObject({ status: "failed", created: 0 });
  expect(run.errors).toMatchObject([{ region: null, projectId: null, code: "unauthorized" }]);
  expect(run.errors[0]?.message).toMatch(/私钥/);
});

test("a key that may use no region at all fails the run", async () => {
  for (const region of bench.simulator.control.regions()) bench.simulator.control.setRegionOpen(region, false);
  const run = await bench.sync(await bench.config());
  expect(run).toMatchObject({ status: "failed" });
  expect(run.errors).toMatchObject([{ code: "not-opened" }]);
});

test("the first hosts are there while the others are still being read", async () => {
  bench.simulator.control.hold({ region: "hk" });
  const id = await bench.process.start(await bench.config());
  await expect
    .poll(async () => (await bench.present()).length, { timeout: 10_000 })
    .toBe(450 - hostIds({ region: "hk" }).length);
  expect(await bench.run(id)).toMatchObject({ status: "running" });
  bench.simulator.control.release();
  expect(await bench.end(id)).toMatchObject({ status: "succeeded", created: 450 });
});

test("hosts that have rows already are met after so many that are new, and no row is doubled or lost", async () => {
  const configId = await bench.config();
  await bench.sync(configId);
  const known = hostIds({ region: "hk" });
  await bench.database.query("delete from hosts where region <> 'hk'");
  bench.simulator.control.hold({ region: "hk" });
  const id = await bench.process.start(configId);
  await expect.poll(async () => (await bench.present()).length, { timeout: 10_000 }).toBe(450);
  bench.simulator.control.updateHosts({ region: "hk" }, { Name: "改名" });
  bench.simulator.control.release();
  const counts = { created: 450 - known.length, updated: known.length, unchanged: 0 };
  expect(await bench.end(id)).toMatchObject({ status: "succeeded", ...counts });
  expect(await bench.present()).toEqual(hostIds());
});

test("a host that two configurations can see stays with the one that found it", async () => {
  const [first, second] = [await bench.config(), await bench.config()];
  await bench.sync(first);
  expect(await bench.sync(second)).toMatchObject({ status: "succeeded", created: 0, updated: 0, unchanged: 450 });
  bench.simulator.control.updateHosts({ count: 3 }, { Name: "改名" });
  expect(await bench.sync(second)).toMatchObject({ updated: 3 });
  expect(await bench.database.query("select distinct config_id from hosts")).toEqual([{ config_id: first }]);
});

test("a list that becomes a page shorter while it is read is read again", async () => {
  const { control } = bench.simulator;
  const [project] = control.projects();
  const place = { projectId: String(project?.id), region: "cn-bj2" };
  control.addHosts({ ...place, count: 301 - control.hosts(place).length });
  control.hold({ action: "DescribeUHostInstance", ...place });
  const id = await bench.process.start(await bench.config());
  await control.waitForHeld();
  control.release(1);
  const offsets = () => control.calls().last.filter((call) => call.region === place.region && call.offset === "300");
  await expect.poll(() => offsets().length, { timeout: 10_000 }).toBe(1);
  control.removeHosts({ ...place, count: 2 });
  control.release();
  expect(await bench.end(id)).toMatchObject({ status: "succeeded", errors: [] });
});

test("hosts that have come to another project are moved there, once they are not in their old one any more", async () => {
  const configId = await bench.config();
  await bench.sync(configId);
  const { control } = bench.simulator;
  const [from, to] = control.projects().map(({ id }) => id);
  const [first, second] = control.hosts({ projectId: String(from), region: "cn-bj2" }).map(({ id }) => id);
  moveHost(control, String(first), String(to), { Name: "改名" });
  moveHost(control, String(second), String(to));
  const projects = () =>
    bench.database.query("select project_id, gone_at from hosts where ucloud_id = any($1)", [[first, second]]);

  // The old one cannot be read: it may still have them.
  const [fault] = control.addFaults({
    action: "DescribeUHostInstance",
    projectId: String(from),
    region: "cn-bj2",
    fault: { kind: "retCode", retCode: 150 },
  });
  expect(await bench.sync(configId)).toMatchObject({ status: "partial", updated: 1, gone: 0 });
  expect(await projects()).toEqual(Array.from({ length: 2 }, () => ({ project_id: from, gone_at: null })));
  control.removeFault(String(fault));

  bench.clock.forward(60);
  expect(await bench.sync(configId)).toMatchObject({ status: "succeeded", updated: 2, unchanged: 448, gone: 0 });
  expect(await projects()).toEqual(Array.from({ length: 2 }, () => ({ project_id: to, gone_at: null })));
  expect(await bench.sync(configId)).toMatchObject({ status: "succeeded", updated: 0, unchanged: 450, gone: 0 });
});

test("hosts of a region that is listed under another name are moved there", async () => {
  const configId = await bench.config();
  await bench.sync(configId);
  const { control } = bench.simulator;
  const [host] = control.hosts({ region: "hk" });
  const id = String(host?.id);
  const record = control.host(id);
  control.removeHosts({ ids: [id] });
  control.addHosts({ region: "cn-bj2", projectId: host?.projectId, patch: { ...record, UHostId: id } });
  control.addFaults({
    action: "GetRegion",
    fault: setField("Regions", [{ Region: "cn-bj2", Zone: "cn-bj2-02" }]),
  });
  expect(await bench.sync(configId)).toMatchObject({ status: "partial", created: 0, updated: 1, gone: 0 });
  expect(await bench.database.query("select region from hosts where ucloud_id = $1", [id])).toEqual([
    { region: "cn-bj2" },
  ]);
});

test("a host that is moved and otherwise new, too, counts once", async () => {
  const configId = await bench.config();
  await bench.sync(configId);
  bench.clock.forward(60);
  const { control } = bench.simulator;
  const [from, to] = control.projects().map(({ id }) => id);
  const [host] = control.hosts({ projectId: String(from) });
  moveHost(control, String(host?.id), String(to), { Name: "改名" });
  expect(await bench.sync(configId)).toMatchObject({ status: "succeeded", updated: 1, unchanged: 449, gone: 0 });
  expect(await bench.database.query("select name, project_id from hosts where ucloud_id = $1", [host?.id])).toEqual([
    { name: "改名", project_id: to },
  ]);
});

test("naming the projects of a configuration later moves its hosts, it does not lose them", async () => {
  const configId = await bench.config();
  await bench.database.query("update configs set project_ids = '[]'");
  bench.simulator.control.addFaults(
    { action: "GetProjectList", fault: setField("ProjectSet", []) },
    { action: "GetProjectList", fault: setField("ProjectCount", 0) },
  );
  const [first] = bench.simulator.control.projects();
  expect(await bench.sync(configId)).toMatchObject({ status: "succeeded" });
  expect(await bench.database.query("select distinct project_id from hosts")).toEqual([{ project_id: "" }]);
  await bench.database.query("update configs set project_ids = $1", [JSON.stringify([first?.id])]);
  expect(await bench.sync(configId)).toMatchObject({ status: "succeeded", created: 0, gone: 0, errors: [] });
  expect(await bench.database.query("select distinct project_id from hosts")).toEqual([{ project_id: first?.id }]);
});

function hostIds(filter: { projectId?: string; region?: string } = {}): string[] {
  return bench.simulator.control
    .hosts(filter)
    .map(({ id }) => id)
    .sort();
}
