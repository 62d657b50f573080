import { beforeEach, describe, expect, it } from "vitest";
import type { Host } from "../../src/shared/hosts.ts";
import type { SyncRun } from "../../src/shared/sync.ts";
import { useApp } from "../harness/app.ts";
import { assign } from "../harness/data.ts";

const app = useApp({ simulator: { hosts: 60, projects: 3, regions: ["cn-bj2", "hk"] } });
let config: string;
let named: string[];
let dropped: string;
/** The provider's ids of the hosts in the project that is no longer named. */
let released: string[];

beforeEach(async () => {
  config = await app.config();
  await sync(config);
  [dropped = "", ...named] = app.simulator.control
    .projects()
    .map(({ id }) => id)
    .toReversed();
  released = app.simulator.control
    .hosts({ projectId: dropped })
    .map(({ id }) => id)
    .toSorted();
});

async function nameProjects(projectIds: readonly string[]): Promise<void> {
  expect((await app.root.put(`/api/hosts/configs/${config}`, { projectIds })).status).toBe(200);
}

async function sync(configId: string): Promise<SyncRun> {
  return (await app.root.post(`/api/hosts/sync?configId=${configId}&wait=25`)).data.runs[0];
}

async function hosts(query: string): Promise<Host[]> {
  return (await app.root.get(`/api/hosts?limit=100&${query}`)).data.hosts;
}

async function goneIds(): Promise<string[]> {
  return (await hosts("gone=true")).map(({ ucloudId }) => ucloudId).toSorted();
}

describe("naming fewer projects in a configuration", () => {
  it("releases the hosts of the others as gone, with their assignments", async () => {
    const client = await app.account("client");
    const [host] = (await hosts("")).filter(({ ucloudId }) => released.includes(ucloudId));
    await assign(app, host?.id ?? "", client.id);
    await nameProjects(named);
    expect(await goneIds()).toEqual(released);
    expect((await hosts("gone=true")).filter(({ configId }) => configId !== null)).toEqual([]);
    expect((await client.get(`/api/hosts/${host?.id}`)).data.goneAt).toEqual(expect.any(Number));
    const run = await sync(config);
    expect(run).toMatchObject({ status: "succeeded", updated: 0, gone: 0, errors: [] });
  });

  it("cancels the live run, which would bring them back", async () => {
    const { control } = app.simulator;
    control.hold({ action: "DescribeUHostInstance", projectId: dropped });
    const { data } = await app.root.post(`/api/hosts/sync?configId=${config}&wait=0`);
    await control.waitForHeld();
    await nameProjects(named);
    expect((await app.root.get(`/api/hosts/sync-runs/${data.runs[0].id}`)).data.status).toBe("cancelled");
    control.release();
    expect(await sync(config)).toMatchObject({ status: "succeeded", updated: 0, gone: 0 });
    expect(await goneIds()).toEqual(released);
  });

  it("keeps hosts that were read in the default project before any project was named", async () => {
    const [project] = app.simulator.control.projects();
    await app.database.query("update hosts set project_id = '' where project_id = $1", [project?.id]);
    const inDefaultProject = app.simulator.control.hosts({ projectId: project?.id }).length;
    await nameProjects(named);
    expect(await goneIds()).toEqual(released);
    expect(await sync(config)).toMatchObject({ status: "succeeded", created: 0, updated: inDefaultProject, gone: 0 });
  });
});
