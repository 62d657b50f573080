import { describe, expect, it } from "vitest";
import type { ProviderClient } from "../../src/server/provider/client.ts";
import type { Params } from "../../src/server/provider/sign.ts";
import {
  findHosts,
  listHosts,
  listProjects,
  listRegions,
} from "../../src/server/provider/uhost-api.ts";

const MACHINE = {
  UHostId: "uhost-demo0001",
  Name: "web-01",
  Tag: "Default",
  Zone: "cn-bj2-05",
  CPU: 4,
  Memory: 8192,
};
const SYSTEM = {
  OsName: "Ubuntu 22.04 64位",
  OsType: "Linux",
  State: "Running",
  TotalDiskSpace: 100,
};
const TERM = { ChargeType: "Month", CreateTime: 1735689600, ExpireTime: 1767225600 };
const FULL = {
  ...MACHINE,
  ...SYSTEM,
  ...TERM,
  AutoRenew: "Yes",
  DiskSet: [
    { DiskId: "bsi-demo0001", DiskType: "CLOUD_RSSD", IsBoot: "True", Size: 40 },
    { DiskId: "bsm-demo0001", DiskType: "CLOUD_RSSD", IsBoot: "False", Size: 100 },
  ],
  IPSet: [
    { IPMode: "IPv4", Type: "Private", IP: "10.9.8.7", Default: "true" },
    { IPMode: "IPv4", Type: "BGP", IP: "203.0.113.10", IPId: "eip-demo0001" },
  ],
};
const SCOPE = { region: "cn-bj2", projectId: "org-1" };
const PAGE = { ...SCOPE, offset: 0, limit: 100 };

/** A client that answers what the test says, each call a second after the one before. */
function answering(answer: (params: Params) => Record<string, unknown>) {
  const sent: { readonly action: string; readonly params: Params }[] = [];
  const client: ProviderClient = {
    async call(action, params = {}) {
      sent.push({ action, params });
      const requestedAt = 1_800_000_000 + sent.length;
      return { body: { RetCode: 0, ...answer(params) }, requestId: "req-9", requestedAt };
    },
  };
  return { client, sent };
}

function pageOf(item: unknown) {
  return listHosts(answering(() => ({ TotalCount: 1, UHostSet: [item] })).client, PAGE);
}

describe("a host record", () => {
  it("becomes a host with memory in MB, the disks' sum in GB, times in Unix seconds", async () => {
    const machine = {
      ucloudId: "uhost-demo0001",
      name: "web-01",
      zone: "cn-bj2-05",
      cpu: 4,
      memory: 8192,
      disk: 140,
    };
    const system = {
      osName: "Ubuntu 22.04 64位",
      osType: "Linux",
      status: "Running",
      providerStatus: "Running",
    };
    const term = {
      chargeType: "Month",
      createTime: 1735689600,
      expireTime: 1767225600,
      autoRenew: true,
    };
    const ipSet = [
      { Type: "Private", IP: "10.9.8.7" },
      { Type: "Bgp", IP: "203.0.113.10" },
    ];

    expect((await pageOf(FULL)).hosts).toEqual([{ ...machine, ...system, ...term, ipSet }]);
  });

  const ips = (...types: (string | null)[]) => types.map((Type) => ({ Type, IP: "1.2.3.4" }));

  it.each<[string, Record<string, unknown>, expected: object]>([
    [
      "another state",
      { State: "Install Fail" },
      { status: "Unknown", providerStatus: "Install Fail" },
    ],
    [
      "numbers as text",
      { CPU: "8", Memory: "16384.0", CreateTime: "1735689600" },
      { cpu: 8, memory: 16384 },
    ],
    [
      "nulls",
      { Name: null, CPU: null, ExpireTime: null, State: null },
      { name: "", cpu: 0, expireTime: null },
    ],
    ["null sets", { IPSet: null, DiskSet: null }, { ipSet: [], disk: 100 }],
    ["zero times", { CreateTime: 0, ExpireTime: 0 }, { createTime: null, expireTime: null }],
    [
      "an IP type in capitals",
      { IPSet: ips("PRIVATE", "Internation") },
      { ipSet: ips("Private", "International") },
    ],
    ["an IP that is not yet given", { IPSet: [{ Type: "Bgp" }] }, { ipSet: [] }],
    [
      "a weight that is no number",
      { IPSet: [{ Type: "Bgp", IP: "1.2.3.4", Weight: "high" }] },
      { ipSet: ips("Bgp") },
    ],
    ["a disk without size", { DiskSet: [{ Size: 20 }, {}] }, { disk: 20 }],
    [
      "the last second of year 9999",
      { ExpireTime: 253_402_300_799 },
      { expireTime: 253_402_300_799 },
    ],
  ])("with %s is accepted", async (_name, fields, expected) => {
    expect(await pageOf({ ...FULL, ...fields })).toMatchObject({ hosts: [expected], rejected: [] });
  });

  it.each<[unknown, boolean | null]>([
    ...["Yes", "yes", "YES", " yes ", "Y", "true", "on", "1", true, 1].map(
      (yes): [unknown, boolean] => [yes, true],
    ),
    ...["No", "no", "NO", "n", "False", "off", "0", false, 0].map((no): [unknown, boolean] => [
      no,
      false,
    ]),
    ...["", "Maybe", null, undefined, 2, {}, ["Yes"], "y".repeat(5_000)].map(
      (other): [unknown, null] => [other, null],
    ),
  ])("that says %j of automatic renewal is read as %s", async (AutoRenew, autoRenew) => {
    const { hosts, rejected } = await pageOf({ ...FULL, AutoRenew });

    expect([hosts[0]?.autoRenew, rejected]).toEqual([autoRenew, []]);
  });

  it.each(["Dynamic", "Postpay", "Trial", ""])(
    "that is charged by %j is not said to renew itself",
    async (ChargeType) => {
      const { hosts } = await pageOf({ ...FULL, ChargeType, AutoRenew: "Yes" });

      expect(hosts).toMatchObject([{ autoRenew: null }]);
    },
  );

  it.each(["Year", "Month"])("that is prepaid by %s has an end", async (ChargeType) => {
    const { hosts } = await pageOf({ ...FULL, ChargeType });

    expect(hosts).toMatchObject([{ chargeType: ChargeType, expireTime: FULL.ExpireTime }]);
  });

  it.each(["Dynamic", "Postpay", "Preemptive", "Spot", "Trial", "Day", "", null])(
    "that is charged by %j has no end: it would be that of the hour",
    async (ChargeType) => {
      const { hosts } = await pageOf({ ...FULL, ChargeType });

      expect(hosts).toMatchObject([{ chargeType: ChargeType ?? "", expireTime: null }]);
    },
  );

  it("has its addresses in one order: private, by falling weight, by address", async () => {
    const sorted = [
      { Type: "private", IP: "10.0.0.1" },
      { Type: "Private", IP: "10.0.0.2" },
      { Type: "Bgp", IP: "203.0.113.9", Weight: 100 },
      { Type: "Bgp", IP: "198.51.100.1", Weight: "50" },
      { Type: "International", IP: "198.51.100.2", Weight: 50 },
      { Type: "Bgp", IP: "192.0.2.1" },
    ];

    for (const IPSet of [sorted, sorted.toReversed()]) {
      const { hosts } = await pageOf({ ...FULL, IPSet });
      expect(hosts[0]?.ipSet.map(({ IP }) => IP)).toEqual(sorted.map(({ IP }) => IP));
    }
  });

  it("needs only an id", async () => {
    const empty = {
      name: "",
      osName: "",
      cpu: 0,
      disk: 0,
      expireTime: null,
      status: "Unknown",
      ipSet: [],
    };

    expect((await pageOf({ UHostId: "u-1" })).hosts).toMatchObject([empty]);
  });

  it.each<[field: string, value: unknown]>([
    ["UHostId", undefined],
    ["UHostId", "uhost 1"],
    ["CPU", "many"],
    ["Memory", -1],
    ["Memory", 2 ** 31],
    ["CreateTime", 1735689600000],
    ["ExpireTime", 253_402_300_800],
    ["Name", "a\u0000b"],
    ["Name", "a\ud800b"],
    ["Name", "x".repeat(1_001)],
    ["IPSet", {}],
    ["IPSet", Array(5_000).fill({ Type: "Bgp", IP: "1.1.1.1" })],
    ["DiskSet", [{ Size: "big" }]],
    ["DiskSet", [{ Size: 2 ** 31 - 1 }, { Size: 1 }]],
  ])(
    "is rejected for its %s, and the reason names the field and not the value",
    async (field, value) => {
      const { hosts, rejected } = await pageOf({ ...FULL, [field]: value });
      expect(hosts).toEqual([]);
      const ucloudId = field === "UHostId" ? null : FULL.UHostId;
      const reason = expect.stringMatching(
        new RegExp(`^字段 ${field}(\\.0\\.Size)? (的值|缺失或)无法识别$`),
      );
      expect(rejected).toEqual([{ ucloudId, reason }]);
    },
  );
});

describe("a page of hosts", () => {
  it("is of one region and project, with rejected records beside the good ones", async () => {
    const UHostSet = [FULL, { UHostId: "bad", CPU: "x" }, null];
    const { client, sent } = answering(() => ({ TotalCount: "3", UHostSet }));
    const page = await listHosts(client, { ...SCOPE, offset: 100, limit: 50 });
    const params = { Region: "cn-bj2", ProjectId: "org-1", Offset: 100, Limit: 50 };

    expect(sent).toEqual([{ action: "DescribeUHostInstance", params }]);
    expect(page).toMatchObject({
      total: 3,
      requestedAt: 1_800_000_001,
      hosts: [{ ucloudId: "uhost-demo0001" }],
    });
    expect(page.rejected).toEqual([
      { ucloudId: "bad", reason: "字段 CPU 的值无法识别" },
      { ucloudId: null, reason: "记录不是对象" },
    ]);
  });

  it.each([
    ["no set", { TotalCount: 0 }],
    ["thousands of records", { TotalCount: 1_001, UHostSet: Array(1_001).fill({}) }],
    ["no total", { UHostSet: [] }],
    ["an absurd total", { TotalCount: 1e15, UHostSet: [] }],
  ])("with %s is malformed", async (_name, body) => {
    const { client } = answering(() => body);

    await expect(listHosts(client, PAGE)).rejects.toMatchObject({
      kind: "malformed",
      requestId: "req-9",
    });
  });
});

describe("finding hosts by id", () => {
  it("sends a hundred ids at a time and is as old as its first answer", async () => {
    const { client, sent } = answering(({ UHostIds }) => {
      const ids = Array.isArray(UHostIds) ? UHostIds : [];
      return { TotalCount: ids.length, UHostSet: ids.map((UHostId) => ({ UHostId })) };
    });
    const ids = Array.from({ length: 250 }, (_, n) => `uhost-${n}`);

    const page = await findHosts(client, { ...SCOPE, ids });

    expect(page.hosts.map((host) => host.ucloudId)).toEqual(ids);
    expect(page).toMatchObject({ total: 250, requestedAt: 1_800_000_001 });
    expect(sent.map(({ params }) => [params.Offset, params.Limit])).toEqual(
      Array(3).fill([0, 100]),
    );
  });

  it.each([
    ["counts more hosts than it names", { TotalCount: 1, UHostSet: [] }],
    ["names hosts that were not in the filter", { TotalCount: 1, UHostSet: [FULL] }],
  ])("takes an answer for malformed that %s", async (_which, body) => {
    const { client } = answering(() => body);

    await expect(findHosts(client, { ...SCOPE, ids: ["uhost-x"] })).rejects.toMatchObject({
      kind: "malformed",
    });
  });
});

describe("the lists of regions and projects", () => {
  const REGIONS = [
    { Region: "cn-bj2", Zone: "02" },
    { Region: "cn-bj2", Zone: "05" },
    { Region: "hk" },
  ];
  const regions = ["cn-bj2", "hk"];

  it.each([
    ["a row per zone", listRegions, { Regions: REGIONS }, { items: regions, rejected: 0 }],
    [
      "unreadable rows",
      listRegions,
      { Regions: [...REGIONS, { Region: 7 }, null] },
      { items: regions, rejected: 2 },
    ],
    [
      "rows that repeat",
      listProjects,
      { ProjectSet: Array(2).fill({ ProjectId: "p" }) },
      { items: ["p"] },
    ],
    ["no rows", listProjects, { ProjectSet: [] }, { items: [], rejected: 0 }],
  ])(
    "name each once, and count what cannot be read, with %s",
    async (_which, list, body, expected) => {
      expect(await list(answering(() => body).client)).toMatchObject(expected);
    },
  );

  it("are malformed without any readable row", async () => {
    await expect(listRegions(answering(() => ({ Regions: [{}] })).client)).rejects.toMatchObject({
      kind: "malformed",
    });
    await expect(listProjects(answering(() => ({})).client)).rejects.toMatchObject({
      kind: "malformed",
    });
  });
});
