import { describe, expect, it } from "vitest";
import { assertOk } from "../harness/rest.ts";
import { useSync } from "./sync-fixture.ts";

const { app, clock, sync } = useSync({ hosts: 4, regions: ["hk"], projects: 1 });

async function changesWith(query = "") {
  return (await assertOk(app.root.get(`/api/hosts/changes${query}`))).data;
}

async function kindsWith(query: string): Promise<string[]> {
  const { changes } = await changesWith(query);
  return changes.map(({ kind }: { readonly kind: string }) => kind);
}

async function idOf(ucloudId: string): Promise<string> {
  const [row] = await app.database.query("select id from hosts where ucloud_id = $1", [ucloudId]);
  return String(row?.id);
}

/** Renames the first host and removes the second, a minute after each other. */
async function changeTwoHosts(configId: string) {
  const { control } = app.simulator;
  const [renamed = "", gone = ""] = control.hosts().map(({ id }) => id);
  clock.forward(60);
  control.updateHosts({ ids: [renamed] }, { Name: "改名" });
  const second = await sync(configId);
  clock.forward(60);
  control.removeHosts({ ids: [gone] });
  const third = await sync(configId);
  return { renamed, gone, second, third };
}

describe("the changes of all hosts", () => {
  it("are those of all runs and accounts, newest first, each with its run and host", async () => {
    const configId = await app.config();
    const first = await sync(configId);
    const { renamed, gone, second, third } = await changeTwoHosts(configId);

    const { changes, pagination } = await changesWith();

    expect(pagination).toEqual({ page: 1, limit: 20, total: 6, totalPages: 1 });
    expect(changes[0]).toEqual({
      id: expect.any(String),
      at: expect.any(Number),
      runId: third.id,
      hostId: await idOf(gone),
      ucloudId: gone,
      name: expect.any(String),
      kind: "gone",
      changes: [],
    });
    expect(changes[0].at).toBeGreaterThanOrEqual(third.startedAt ?? Number.NaN);
    expect(changes[1]).toMatchObject({ ucloudId: renamed, runId: second.id, name: "改名" });
    expect(changes.slice(2)).toMatchObject(
      Array(4).fill({ kind: "created", runId: first.id, changes: [] }),
    );
  });

  it("have no run when a refresh found them", async () => {
    const configId = await app.config();
    await sync(configId);
    const [ucloudId = ""] = app.simulator.control.hosts().map(({ id }) => id);
    app.simulator.control.updateHosts({ ids: [ucloudId] }, { Name: "改名" });
    clock.forward(60);

    await assertOk(app.root.post(`/api/hosts/${await idOf(ucloudId)}/sync`));

    const { changes } = await changesWith("?limit=1");
    expect(changes).toMatchObject([{ ucloudId, kind: "changed", runId: null }]);
  });

  it("are narrowed to a time, both bounds included", async () => {
    const configId = await app.config();
    await sync(configId);
    await changeTwoHosts(configId);
    const { changes } = await changesWith();
    const [gone, changed] = changes.map(({ at }: { readonly at: number }) => at);

    expect(await kindsWith(`?from=${gone}`)).toEqual(["gone"]);
    expect(await kindsWith(`?from=${gone + 1}`)).toEqual([]);
    expect(await kindsWith(`?from=${changed}&to=${gone - 1}`)).toEqual(["changed"]);
    expect(await kindsWith(`?from=${changed}&to=${changed}`)).toEqual(["changed"]);
    expect(await kindsWith(`?to=${changed - 1}`)).toEqual(Array(4).fill("created"));
  });

  it("are narrowed to a kind and a search together", async () => {
    const configId = await app.config();
    await sync(configId);
    const { renamed } = await changeTwoHosts(configId);

    expect(await kindsWith("?kind=gone")).toEqual(["gone"]);
    expect(await kindsWith(`?search=${encodeURIComponent(" 改名 ")}`)).toEqual([
      "changed",
      "created",
    ]);
    expect(await kindsWith(`?search=${renamed.toUpperCase()}&kind=created`)).toEqual(["created"]);
    expect(await kindsWith("?search=providerStatus")).toEqual([]);
  });

  it("of an account are those of its present hosts, and of hosts that left it", async () => {
    const former = await app.config();
    await sync(former);
    clock.forward(60);
    await assertOk(app.root.put(`/api/hosts/configs/${former}`, { isActive: false }));
    const other = await app.config({ name: "接手" });

    expect(await kindsWith(`?configId=${former}`)).toEqual(Array(4).fill("created"));

    await sync(other);
    expect(await kindsWith(`?configId=${former}`)).toEqual(Array(4).fill("moved"));
    const all = [...Array(4).fill("moved"), ...Array(4).fill("created")];
    expect(await kindsWith(`?configId=${other}`)).toEqual(all);
  });

  it("are read page by page, each once", async () => {
    const configId = await app.config();
    await sync(configId);
    await changeTwoHosts(configId);
    const { changes } = await changesWith();

    const pages = await Promise.all(
      [1, 2, 3, 4].map((page) => changesWith(`?limit=2&page=${page}`)),
    );

    expect(pages.flatMap((page) => page.changes)).toEqual(changes);
    expect(pages.map(({ pagination }) => pagination.totalPages)).toEqual([3, 3, 3, 3]);
  });
});
