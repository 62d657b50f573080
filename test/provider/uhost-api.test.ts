import { describe, expect, it } from "vitest";
import type { ProviderClient } from "../../src/server/provider/client.ts";
import type { Params } from "../../src/server/provider/sign.ts";
import { findHosts, listHosts, listProjects, listRegions } from "../../src/server/provider/uhost-api.ts";

const FULL = {
  UHostId: "uhost-demo0001",
  Name: "web-01",
  Tag: "Default",
  Zone: "cn-bj2-05",
  State: "Running",
  CPU: 4,
  Memory: 8192,
  ChargeType: "Month",
  CreateTime: 1735689600,
  ExpireTime: 1767225600,
  OsName: "Ubuntu 22.04 64位",
  OsType: "Linux",
  TotalDiskSpace: 100,
  DiskSet: [
    { DiskId: "bsi-demo0001", DiskType: "CLOUD_RSSD", IsBoot: "True", Drive: "vda", Size: 40, Encrypted: "false" },
    { DiskId: "bsm-demo0001", DiskType: "CLOUD_RSSD", IsBoot: "False", Drive: "vdb", Size: 100, Encrypted: "false" },
  ],
  IPSet: [
    { IPMode: "IPv4", Type: "Private", IP: "10.9.8.7", Mac: "52:54:00:AA:BB:01", Default: "true" },
    { IPMode: "IPv4", Type: "BGP", IP: "203.0.113.10", IPId: "eip-demo0001", Bandwidth: 5, Weight: 50 },
  ],
  HotplugFeature: true,
  KeyPair: { KeyPairId: "", KeyPairState: "" },
};

const SCOPE = { region: "cn-bj2", projectId: "org-1" };
const PAGE = { ...SCOPE, offset: 0, limit: 100 };

interface Sent {
  readonly action: string;
  readonly params: Params;
}

/** A client that answers what the test says, each call a second after the one before. */
function answering(answer: (sent: Sent) => Record<string, unknown>) {
  const sent: Sent[] = [];
  const client: ProviderClient = {
    async call(action, params = {}) {
      sent.push({ action, params });
      const requestedAt = 1_800_000_000 + sent.length;
      return { body: { RetCode: 0, ...answer({ action, params }) }, requestId: "req-9", requestedAt };
    },
  };
  return { client, sent };
}

function pageOf(items: unknown[]) {
  return listHosts(answering(() => ({ TotalCount: items.length, UHostSet: items })).client, PAGE);
}

async function hostOf(item: unknown) {
  const { hosts, rejected } = await pageOf([item]);
  expect(rejected).toEqual([]);
  return hosts[0];
}

function changed(fields: Record<string, unknown>) {
  return { ...FULL, ...fields };
}

describe("a host record", () => {
  it("becomes a host with memory in MB, disk in GB (boot and data) and times in Unix seconds", async () => {
    expect(await hostOf(FULL)).toEqual({
      ucloudId: "uhost-demo0001",
      name: "web-01",
      cpu: 4,
      memory: 8192,
      disk: 140,
      osName: "Ubuntu 22.04 64位",
      osType: "Linux",
      zone: "cn-bj2-05",
      status: "Running",
      providerStatus: "Running",
      chargeType: "Month",
      createTime: 1735689600,
      expireTime: 1767225600,
      ipSet: [
        { Type: "Private", IP: "10.9.8.7" },
        { Type: "Bgp", IP: "203.0.113.10" },
      ],
    });
  });

  it.each([
    ["Stopped", "Stopped"],
    ["Initializing", "Unknown"],
    ["running", "Unknown"],
    ["", "Unknown"],
  ])("in state %j is %s and keeps the provider's word", async (State, status) => {
    expect(await hostOf({ ...FULL, State })).toMatchObject({ status, providerStatus: State });
  });

  it.each([
    [
      "only its id",
      { UHostId: "u-1" },
      { name: "", osName: "", cpu: 0, disk: 0, expireTime: null, status: "Unknown", providerStatus: "", ipSet: [] },
    ],
    [
      "numbers as text",
      changed({ CPU: "8", Memory: "16384.0", CreateTime: "1735689600" }),
      { cpu: 8, memory: 16384, createTime: 1735689600 },
    ],
    [
      "nulls",
      changed({ Name: null, CPU: null, Zone: null, ExpireTime: null, State: null }),
      { name: "", cpu: 0, expireTime: null, status: "Unknown" },
    ],
    [
      "several spellings of IP types",
      changed({ IPSet: ["PRIVATE", "bgp", "Internation", "BGPPro", null].map((Type) => ({ Type, IP: "1.2.3.4" })) }),
      { ipSet: ["Private", "Bgp", "International", "BGPPro", ""].map((Type) => ({ Type, IP: "1.2.3.4" })) },
    ],
    ["null sets", changed({ IPSet: null, DiskSet: null }), { ipSet: [], disk: 100 }],
    ["zero times", changed({ CreateTime: 0, ExpireTime: 0 }), { createTime: null, expireTime: null }],
    [
      "an IP not yet given",
      changed({ IPSet: [{ Type: "Bgp" }, { Type: "Private", IP: "10.0.0.1" }] }),
      { ipSet: [{ Type: "Private", IP: "10.0.0.1" }] },
    ],
    ["a disk without size", changed({ DiskSet: [{ Size: 20 }, {}] }), { disk: 20 }],
    ["markup, emoji and right-to-left names", changed({ Name: "<b>😀</b>\u202eabc" }), { name: "<b>😀</b>\u202eabc" }],
    ["the last second of year 9999", changed({ ExpireTime: 253_402_300_799 }), { expireTime: 253_402_300_799 }],
  ])("with %s is accepted", async (_name, item, expected) => {
    expect(await hostOf(item)).toMatchObject(expected);
  });

  it.each([
    ["null", null, "记录不是对象"],
    ["without an id", changed({ UHostId: undefined }), "UHostId"],
    ["with a blank in the id", changed({ UHostId: "uhost 1" }), "UHostId"],
    ["with a long id", changed({ UHostId: "u".repeat(101) }), "UHostId"],
    ["with a wordy CPU", changed({ CPU: "many" }), "CPU"],
    ["with a scientific CPU", changed({ CPU: "1e3" }), "CPU"],
    ["with negative memory", changed({ Memory: -1 }), "Memory"],
    ["with memory beyond a column", changed({ Memory: 2 ** 31 }), "Memory"],
    ["created in milliseconds", changed({ CreateTime: 1735689600000 }), "CreateTime"],
    ["expiring in year 10000", changed({ ExpireTime: 253_402_300_800 }), "ExpireTime"],
    ["with a NUL in the name", changed({ Name: "a\u0000b" }), "Name"],
    ["with a lone surrogate in the name", changed({ Name: "a\ud800b" }), "Name"],
    ["with an endless name", changed({ Name: "x".repeat(1_001) }), "Name"],
    ["with an object for IPSet", changed({ IPSet: {} }), "IPSet"],
    ["with thousands of IPs", changed({ IPSet: Array(5_000).fill({ Type: "Bgp", IP: "1.1.1.1" }) }), "IPSet"],
    ["with a wordy disk size", changed({ DiskSet: [{ Size: "big" }] }), "DiskSet.0.Size"],
    ["with disks that overflow", changed({ DiskSet: [{ Size: 2 ** 31 - 1 }, { Size: 1 }] }), "DiskSet"],
  ])("that is %s is rejected, and the reason names the field and not the value", async (_name, item, field) => {
    const { hosts, rejected } = await pageOf([item]);
    expect(hosts).toEqual([]);
    const hasId = field !== "UHostId" && field !== "记录不是对象";
    expect(rejected).toEqual([{ ucloudId: hasId ? "uhost-demo0001" : null, reason: expect.stringContaining(field) }]);
  });
});

describe("a page of hosts", () => {
  it("is of one region and project, with rejected records beside the good ones", async () => {
    const { client, sent } = answering(() => ({
      TotalCount: "3",
      UHostSet: [FULL, { UHostId: "bad", CPU: "x" }, null],
    }));
    const page = await listHosts(client, { ...SCOPE, offset: 100, limit: 50 });
    expect(sent).toEqual([
      { action: "DescribeUHostInstance", params: { Region: "cn-bj2", ProjectId: "org-1", Offset: 100, Limit: 50 } },
    ]);
    expect(page).toMatchObject({ total: 3, requestedAt: 1_800_000_001, hosts: [{ ucloudId: "uhost-demo0001" }] });
    expect(page.rejected).toEqual([
      { ucloudId: "bad", reason: "字段 CPU 的值无法识别" },
      { ucloudId: null, reason: "记录不是对象" },
    ]);
  });

  it.each([
    ["no set", { TotalCount: 0 }],
    ["thousands of records", { TotalCount: 1_001, UHostSet: Array(1_001).fill({}) }],
    ["no total", { UHostSet: [] }],
    ["a negative total", { TotalCount: -1, UHostSet: [] }],
    ["an absurd total", { TotalCount: 1e15, UHostSet: [] }],
  ])("with %s is malformed", async (_name, body) => {
    const { client } = answering(() => body);
    await expect(listHosts(client, PAGE)).rejects.toMatchObject({ kind: "malformed", requestId: "req-9" });
  });
});

describe("finding hosts by id", () => {
  it("sends a hundred ids at a time and is as old as its first answer", async () => {
    const { client, sent } = answering(({ params }) => {
      const ids = Array.isArray(params.UHostIds) ? params.UHostIds : [];
      return { TotalCount: ids.length, UHostSet: ids.map((UHostId) => ({ UHostId })) };
    });
    const ids = Array.from({ length: 250 }, (_, n) => `uhost-${n}`);
    const page = await findHosts(client, { ...SCOPE, ids });
    expect(page.hosts.map((host) => host.ucloudId)).toEqual(ids);
    expect(page).toMatchObject({ total: 250, requestedAt: 1_800_000_001 });
    expect(sent.map(({ params }) => [params.Offset, params.Limit])).toEqual(Array(3).fill([0, 100]));
  });

  it("finds nothing in an empty answer, and sends nothing without ids", async () => {
    const { client, sent } = answering(() => ({ TotalCount: 0, UHostSet: [] }));
    expect(await findHosts(client, { ...SCOPE, ids: [] })).toMatchObject({ total: 0, hosts: [], rejected: [] });
    expect(sent).toEqual([]);
    expect(await findHosts(client, { ...SCOPE, ids: ["uhost-x"] })).toMatchObject({ total: 0, hosts: [] });
  });

  it.each([
    ["counts more hosts than it names", { TotalCount: 1, UHostSet: [] }],
    ["names hosts that were not in the filter", { TotalCount: 1, UHostSet: [FULL] }],
  ])("takes an answer for malformed that %s", async (_which, body) => {
    const { client } = answering(() => body);
    await expect(findHosts(client, { ...SCOPE, ids: ["uhost-x"] })).rejects.toMatchObject({ kind: "malformed" });
  });
});

describe("regions and projects", () => {
  it("are listed once each, although the provider has a row per zone of a region", async () => {
    const { client, sent } = answering(({ action }) =>
      action === "GetRegion"
        ? { Regions: [{ Region: "cn-bj2", Zone: "02" }, { Region: "cn-bj2", Zone: "05" }, { Region: "hk" }] }
        : { ProjectSet: [{ ProjectId: "org-1", ProjectName: "默认" }, { ProjectId: "org-2" }, { ProjectId: "org-2" }] },
    );
    expect(await listRegions(client)).toEqual({ items: [{ region: "cn-bj2" }, { region: "hk" }], rejected: 0 });
    expect(await listProjects(client)).toEqual({ items: [{ id: "org-1" }, { id: "org-2" }], rejected: 0 });
    expect(sent).toEqual([
      { action: "GetRegion", params: {} },
      { action: "GetProjectList", params: {} },
    ]);
    expect(await listProjects(answering(() => ({ ProjectSet: [] })).client)).toEqual({ items: [], rejected: 0 });
  });

  it("are counted when they cannot be read, and a list without any readable row is malformed", async () => {
    const { client } = answering(() => ({ Regions: [{ Region: "hk" }, { Region: 7 }, null] }));
    expect(await listRegions(client)).toEqual({ items: [{ region: "hk" }], rejected: 2 });
    await expect(listRegions(answering(() => ({ Regions: [{}] })).client)).rejects.toMatchObject({ kind: "malformed" });
    await expect(listProjects(answering(() => ({})).client)).rejects.toMatchObject({ kind: "malformed" });
  });
});
