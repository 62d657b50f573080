import { beforeEach, expect, it } from "vitest";
import type { Host } from "../../src/shared/hosts.ts";
import type { SyncRun } from "../../src/shared/sync.ts";
import { useApp } from "../harness/app.ts";
import { setField } from "../harness/faults.ts";

/** A configuration that is told to read fewer projects than before. */
const app = useApp({ simulator: { hosts: 60, projects: 3, regions: ["cn-bj2", "hk"] } });
let all: string;
let kept: string;
let left: string;
let rest: string[];
/** Hosts of the project that the configuration names no more. */
let lost: string[];

beforeEach(async () => {
  const { control } = app.simulator;
  all = await app.config();
  await sync(all);
  const [first, second, third] = control.projects().map(({ id }) => id);
  [kept, left] = [String(first), String(third)];
  lost = control.hosts({ projectId: left }).map(({ id }) => id);
  rest = [String(first), String(second)];
  await name(rest);
});

async function name(projectIds: readonly string[]): Promise<void> {
  await app.root.put(`/api/hosts/configs/${all}`, { projectIds });
}

async function sync(configId: string): Promise<SyncRun> {
  return (await app.root.post(`/api/hosts/sync?configId=${configId}&wait=25`)).data.runs[0];
}

async function hosts(query: string): Promise<Host[]> {
  return (await app.root.get(`/api/hosts?limit=100&${query}`)).data.hosts;
}

it("keeps their hosts as they are, and says what to do", async () => {
  const run = await sync(all);
  expect(run).toMatchObject({ status: "partial", gone: 0 });
  expect(run.errors.map(({ projectId, code }) => [projectId, code])).toEqual([
    [left, "project-unnamed"],
    [left, "project-unnamed"],
  ]);
  expect(run.errors[0]?.message).toMatch(/已不在配置的项目ID中.*加回该项目ID.*新建.*只填该项目ID.*同步.*删除/);
  expect((await hosts("")).length).toBe(60);
});

it("lets another configuration that reads them take their hosts over, and only these", async () => {
  const other = await app.config({ projectIds: [kept, left] });
  expect(await sync(other)).toMatchObject({ status: "succeeded", created: 0, updated: lost.length, gone: 0 });
  const taken = (await hosts(`configId=${other}`)).map(({ ucloudId }) => ucloudId);
  expect(taken.toSorted()).toEqual(lost.toSorted());
  expect(await sync(all)).toMatchObject({ status: "succeeded", updated: 0, gone: 0, errors: [] });
  expect(await sync(other)).toMatchObject({ status: "succeeded", updated: 0, errors: [] });
  expect((await hosts("gone=true")).length).toBe(0);
});

it("has a way out for hosts that nobody wants to manage any more, as the run says", async () => {
  const temporary = await app.config({ projectIds: [left] });
  expect(await sync(temporary)).toMatchObject({ status: "succeeded", updated: lost.length });
  await app.root.delete(`/api/hosts/configs/${temporary}`);
  expect(await sync(all)).toMatchObject({ status: "succeeded", errors: [] });
  expect((await hosts("gone=true")).map(({ ucloudId }) => ucloudId).toSorted()).toEqual(lost.toSorted());
});

it("is the way out, too, when a key may not use a project any more that another configuration reads", async () => {
  await name([]);
  const { control } = app.simulator;
  const value = rest.map((ProjectId) => ({ ProjectId }));
  control.addFaults(
    { action: "GetProjectList", fault: setField("ProjectSet", value) },
    { action: "GetProjectList", fault: setField("ProjectCount", value.length) },
  );
  const other = await app.config({ projectIds: [left] });
  expect(await sync(other)).toMatchObject({ status: "succeeded", updated: 0 });
  const run = await sync(all);
  expect(run).toMatchObject({ status: "partial", gone: 0 });
  expect(run.errors[0]).toMatchObject({ projectId: left, code: "place-missing" });
  expect(run.errors[0]?.message).toMatch(/若已改由其他配置管理，请在本配置中填写仍要同步的项目ID，再同步那个配置/);
  await name(rest);
  expect(await sync(other)).toMatchObject({ status: "succeeded", updated: lost.length });
  expect(await sync(all)).toMatchObject({ status: "succeeded", gone: 0, errors: [] });
});
