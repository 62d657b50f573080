import { pino } from "pino";
import { describe, expect, it } from "vitest";
import type { ProviderClient } from "../../src/server/provider/client.ts";
import { ProviderFailure } from "../../src/server/provider/failure.ts";
import type { ParamValue } from "../../src/server/provider/sign.ts";
import { listHosts, findHosts, listProjects, listRegions } from "../../src/server/provider/uhost-api.ts";

const HOST = { UHostId: "uhost-demo0001", State: "Running", CPU: 4, Memory: 8192 };

interface Asked {
  readonly action: string;
  readonly params: Readonly<Record<string, ParamValue>>;
}

/** A client that answers what the test says. */
function answering(answer: (asked: Asked) => Record<string, unknown>) {
  const asked: Asked[] = [];
  const lines: string[] = [];
  const client: ProviderClient = {
    log: pino({ level: "debug" }, { write: (line: string) => lines.push(line) }),
    load: () => ({ active: 0, waiting: 0, concurrency: 5 }),
    async call(action, params = {}) {
      asked.push({ action, params });
      return { body: { RetCode: 0, ...answer({ action, params }) }, requestId: "req-9", askedAt: 1_800_000_000 };
    },
  };
  return { client, asked, lines };
}

const SCOPE = { region: "cn-bj2", projectId: "org-1" };

describe("a page of hosts", () => {
  it("asks for region, project, offset and limit, and counts rejected records beside the good ones", async () => {
    const { client, asked } = answering(() => ({
      TotalCount: "3",
      UHostSet: [HOST, { UHostId: "bad", CPU: "x" }, null],
    }));
    const page = await listHosts(client, { ...SCOPE, offset: 100, limit: 50 });
    expect(asked).toEqual([
      { action: "DescribeUHostInstance", params: { Region: "cn-bj2", ProjectId: "org-1", Offset: 100, Limit: 50 } },
    ]);
    expect(page.total).toBe(3);
    expect(page.hosts.map((host) => host.ucloudId)).toEqual(["uhost-demo0001"]);
    expect(page.rejected).toEqual([
      { id: "bad", reason: "字段 CPU 的值无法识别" },
      { id: null, reason: "记录不是对象" },
    ]);
  });

  it.each([
    ["no set", { TotalCount: 0 }],
    ["a null set", { TotalCount: 0, UHostSet: null }],
    ["an object for a set", { TotalCount: 0, UHostSet: {} }],
    ["no total", { UHostSet: [] }],
    ["a null total", { TotalCount: null, UHostSet: [] }],
    ["a negative total", { TotalCount: -1, UHostSet: [] }],
    ["a fractional total", { TotalCount: 1.5, UHostSet: [] }],
    ["a wordy total", { TotalCount: "many", UHostSet: [] }],
    ["an absurd total", { TotalCount: 1e15, UHostSet: [] }],
  ])("with %s is refused whole", async (_name, body) => {
    const { client } = answering(() => body);
    const error = await listHosts(client, { ...SCOPE, offset: 0, limit: 100 }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ProviderFailure);
    expect(error).toMatchObject({ kind: "malformed", requestId: "req-9" });
  });
});

describe("finding hosts by id", () => {
  it("asks a hundred at a time and puts the answers together", async () => {
    const { client, asked } = answering(({ params }) => {
      const ids = Array.isArray(params.UHostIds) ? params.UHostIds : [];
      return { TotalCount: ids.length, UHostSet: ids.map((UHostId) => ({ UHostId })) };
    });
    const ids = Array.from({ length: 250 }, (_, n) => `uhost-${n}`);
    const page = await findHosts(client, { ...SCOPE, projectId: null, ids });
    expect(page.hosts.map((host) => host.ucloudId)).toEqual(ids);
    expect(page.total).toBe(250);
    expect(asked.map(({ params }) => [params.Offset, params.Limit])).toEqual([
      [0, 100],
      [0, 100],
      [0, 100],
    ]);
  });

  it("asks nothing for no ids, and takes an empty answer for absence", async () => {
    const { client, asked } = answering(() => ({ TotalCount: 0, UHostSet: [] }));
    expect(await findHosts(client, { ...SCOPE, ids: [] })).toEqual({
      total: 0,
      askedAt: Number.POSITIVE_INFINITY,
      hosts: [],
      rejected: [],
    });
    expect(asked).toHaveLength(0);
    expect((await findHosts(client, { ...SCOPE, ids: ["uhost-x"] })).hosts).toEqual([]);
  });

  it("refuses an answer that counts more hosts than it names: they may be those that are missing", async () => {
    const { client } = answering(() => ({ TotalCount: 1, UHostSet: [] }));
    await expect(findHosts(client, { ...SCOPE, ids: ["uhost-x"] })).rejects.toMatchObject({ kind: "malformed" });
  });

  it("refuses an answer with hosts nobody asked for, which shows that the filter was ignored", async () => {
    const { client } = answering(() => ({ TotalCount: 1, UHostSet: [HOST] }));
    await expect(findHosts(client, { ...SCOPE, ids: ["uhost-x"] })).rejects.toMatchObject({ kind: "malformed" });
  });
});

describe("regions and projects", () => {
  it("lists each region once with its zones", async () => {
    const { client, asked } = answering(() => ({
      Regions: [
        { RegionId: 1, RegionName: "cn-bj2", IsDefault: false, Region: "cn-bj2", Zone: "cn-bj2-02" },
        { RegionId: 2, RegionName: "cn-bj2", IsDefault: "True", Region: "cn-bj2", Zone: "cn-bj2-05" },
        { RegionId: 2, RegionName: "cn-bj2", IsDefault: false, Region: "cn-bj2", Zone: "cn-bj2-05" },
        { LocalName: "香港", RegionName: "hk", Region: "hk", Zone: null },
      ],
    }));
    expect(await listRegions(client)).toEqual({
      items: [
        { region: "cn-bj2", name: null, isDefault: true, zones: ["cn-bj2-02", "cn-bj2-05"] },
        { region: "hk", name: "香港", isDefault: false, zones: [] },
      ],
      rejected: 0,
      unlisted: 0,
    });
    expect(asked).toEqual([{ action: "GetRegion", params: {} }]);
  });

  it("lists each project once", async () => {
    const { client } = answering(() => ({
      ProjectCount: 2,
      ProjectSet: [
        { ProjectId: "org-1", ProjectName: "默认", IsDefault: true, CreateTime: 1 },
        { ProjectId: "org-2", ProjectName: null },
        { ProjectId: "org-2" },
      ],
    }));
    expect(await listProjects(client)).toEqual({
      items: [
        { id: "org-1", name: "默认", isDefault: true },
        { id: "org-2", name: "", isDefault: false },
      ],
      rejected: 0,
      unlisted: 0,
    });
  });

  it.each([
    [3, 2],
    ["3", 2],
    [1, 0],
    [0, 0],
    [-1, 0],
    ["many", 0],
    [null, 0],
    [undefined, 0],
    [1.5, 0],
  ])("knows how many projects are not listed when the list says that there are %j", async (ProjectCount, unlisted) => {
    const { client } = answering(() => ({ ProjectCount, ProjectSet: [{ ProjectId: "org-1" }] }));
    expect(await listProjects(client)).toMatchObject({ rejected: 0, unlisted });
  });

  it("takes a project that it cannot read for rejected, not for one that is not listed as well", async () => {
    const { client } = answering(() => ({ ProjectCount: 2, ProjectSet: [{ ProjectId: "org-1" }, {}] }));
    expect(await listProjects(client)).toMatchObject({ items: [{ id: "org-1" }], rejected: 1, unlisted: 0 });
  });

  it("logs and leaves out a row it cannot read, and refuses a list of which it can read nothing", async () => {
    const some = answering(() => ({ Regions: [{ Region: "hk" }, { Region: 7 }, null] }));
    expect(await listRegions(some.client)).toMatchObject({ items: [{ region: "hk" }], rejected: 2 });
    expect(JSON.parse(some.lines[0] ?? "")).toMatchObject({ action: "GetRegion", rejected: 2 });
    await expect(listRegions(answering(() => ({ Regions: [{}] })).client)).rejects.toMatchObject({ kind: "malformed" });
    await expect(listProjects(answering(() => ({})).client)).rejects.toMatchObject({ kind: "malformed" });
    expect(await listProjects(answering(() => ({ ProjectSet: [] })).client)).toEqual({
      items: [],
      rejected: 0,
      unlisted: 0,
    });
  });
});
