import { describe, expect, it } from "vitest";
import { parseHost } from "../../src/server/provider/parse-host.ts";

const FULL = {
  UHostId: "uhost-demo0001",
  Name: "web-01",
  Remark: "门户前端",
  Tag: "Default",
  Zone: "cn-bj2-05",
  State: "Running",
  BootDiskState: "Normal",
  CPU: 4,
  Memory: 8192,
  GPU: 0,
  MachineType: "O",
  ChargeType: "Month",
  CreateTime: 1735689600,
  ExpireTime: 1767225600,
  AutoRenew: "Yes",
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
const WINDOWS = {
  UHostId: "uhost-demo0002",
  Name: "gpu-train",
  Zone: "cn-bj2-03",
  State: "Stopped",
  CPU: 16,
  Memory: 65536,
  ChargeType: "Dynamic",
  CreateTime: 1740000000,
  ExpireTime: 1740003600,
  OsName: "Windows 2019 64位 中文版",
  OsType: "Windows",
  TotalDiskSpace: 0,
  DiskSet: [{ DiskId: "6f1d0c2e", DiskType: "LOCAL_SSD", IsBoot: "True", Size: 100 }],
  IPSet: [
    { IPMode: "IPv4", Type: "Private", IP: "10.9.8.9" },
    { IPMode: "IPv6", Type: "Internation", IP: "2001:db8::9" },
  ],
  KeyPair: {},
};
const SPARSE = {
  UHostId: "uhost-demo0003",
  Name: "",
  Tag: "Default",
  Zone: "cn-bj2-05",
  State: "",
  CPU: 1,
  Memory: 1024,
  ChargeType: "Postpay",
  CreateTime: 1750000000,
  DiskSet: [],
  IPSet: [],
};

function hostOf(item: unknown) {
  const result = parseHost(item);
  if (!("host" in result)) throw new Error(`rejected: ${result.rejected.reason}`);
  return result.host;
}

function changed(fields: Record<string, unknown>) {
  return { ...FULL, ...fields };
}

describe("a host in the provider's words", () => {
  it("is read in ours: full, Windows and sparse", () => {
    expect(hostOf(FULL)).toEqual({
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
    expect(hostOf(WINDOWS)).toMatchObject({
      disk: 100,
      status: "Stopped",
      ipSet: [
        { Type: "Private", IP: "10.9.8.9" },
        { Type: "International", IP: "2001:db8::9" },
      ],
    });
    expect(hostOf(SPARSE)).toEqual({
      ucloudId: "uhost-demo0003",
      name: "",
      cpu: 1,
      memory: 1024,
      disk: 0,
      osName: "",
      osType: "",
      zone: "cn-bj2-05",
      status: "Unknown",
      providerStatus: "",
      chargeType: "Postpay",
      createTime: 1750000000,
      expireTime: null,
      ipSet: [],
    });
  });

  it.each([
    ["Running", "Running"],
    ["Stopped", "Stopped"],
    ["Starting", "Starting"],
    ["Stopping", "Stopping"],
    ["Rebooting", "Rebooting"],
    ["Initializing", "Unknown"],
    ["Install Fail", "Unknown"],
    ["Resizing", "Unknown"],
    ["running", "Unknown"],
    ["", "Unknown"],
  ])("in state %j is %s and keeps the provider's word", (State, status) => {
    expect(hostOf(changed({ State }))).toMatchObject({ status, providerStatus: State });
  });

  it.each([
    ["PRIVATE", "Private"],
    ["private", "Private"],
    ["bgp", "Bgp"],
    ["Internation", "International"],
    ["International", "International"],
    ["BGPPro", "BGPPro"],
    ["Duplet", "Duplet"],
    [null, ""],
  ])("has an IP of type %j as %j", (Type, expected) => {
    expect(hostOf(changed({ IPSet: [{ Type, IP: "1.2.3.4" }] })).ipSet).toEqual([{ Type: expected, IP: "1.2.3.4" }]);
  });

  it.each([
    ["only its id", { UHostId: "u-1" }, { name: "", cpu: 0, memory: 0, disk: 0, createTime: null, ipSet: [] }],
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
    ["null sets", changed({ IPSet: null, DiskSet: null }), { ipSet: [], disk: 100 }],
    ["no sets", changed({ IPSet: undefined, DiskSet: undefined }), { ipSet: [], disk: 100 }],
    ["zero times", changed({ CreateTime: 0, ExpireTime: 0 }), { createTime: null, expireTime: null }],
    [
      "an IP not yet given",
      changed({ IPSet: [{ Type: "Bgp" }, { Type: "Private", IP: "10.0.0.1" }] }),
      { ipSet: [{ Type: "Private", IP: "10.0.0.1" }] },
    ],
    ["a disk without size", changed({ DiskSet: [{ Size: 20 }, {}] }), { disk: 20 }],
    ["unknown fields of any type", changed({ DeleteTime: "x", IPs: 5, SpotAttribute: [], __proto__: 1 }), { cpu: 4 }],
    ["markup, emoji and right-to-left names", changed({ Name: "<b>😀</b>\u202eabc" }), { name: "<b>😀</b>\u202eabc" }],
    ["the last second of year 9999", changed({ ExpireTime: 253_402_300_799 }), { expireTime: 253_402_300_799 }],
    ["text of 1,000 characters", changed({ Name: "x".repeat(1_000) }), { name: "x".repeat(1_000) }],
  ])("with %s is accepted", (_name, item, expected) => {
    expect(hostOf(item)).toMatchObject(expected);
  });

  it.each([
    ["null", null, "记录不是对象"],
    ["text", "uhost-1", "记录不是对象"],
    ["a list", [], "记录不是对象"],
    ["without an id", changed({ UHostId: undefined }), "UHostId"],
    ["with an empty id", changed({ UHostId: "" }), "UHostId"],
    ["with a numeric id", changed({ UHostId: 5 }), "UHostId"],
    ["with a blank in the id", changed({ UHostId: "uhost 1" }), "UHostId"],
    ["with a NUL in the id", changed({ UHostId: "uhost\u0000" }), "UHostId"],
    ["with a long id", changed({ UHostId: "u".repeat(101) }), "UHostId"],
    ["with a wordy CPU", changed({ CPU: "many" }), "CPU"],
    ["with an empty CPU", changed({ CPU: "" }), "CPU"],
    ["with a scientific CPU", changed({ CPU: "1e3" }), "CPU"],
    ["with half a CPU", changed({ CPU: 0.5 }), "CPU"],
    ["with a list for CPU", changed({ CPU: [4] }), "CPU"],
    ["with negative memory", changed({ Memory: -1 }), "Memory"],
    ["with memory beyond a column", changed({ Memory: 2 ** 31 }), "Memory"],
    ["created before 1970", changed({ CreateTime: -1 }), "CreateTime"],
    ["created in milliseconds", changed({ CreateTime: 1735689600000 }), "CreateTime"],
    ["expiring in year 10000", changed({ ExpireTime: 253_402_300_800 }), "ExpireTime"],
    ["expiring in a word", changed({ ExpireTime: "never" }), "ExpireTime"],
    ["with a NUL in the name", changed({ Name: "a\u0000b" }), "Name"],
    ["with a lone surrogate in the name", changed({ Name: "a\ud800b" }), "Name"],
    ["with an endless name", changed({ Name: "x".repeat(1_001) }), "Name"],
    ["with an object for a name", changed({ Name: {} }), "Name"],
    ["with a number for a state", changed({ State: 1 }), "State"],
    ["with a lone surrogate in the OS", changed({ OsName: "\udc00" }), "OsName"],
    ["with an object for IPSet", changed({ IPSet: {} }), "IPSet"],
    ["with text in IPSet", changed({ IPSet: ["10.0.0.1"] }), "IPSet.0"],
    ["with a NUL in an IP", changed({ IPSet: [{ Type: "Private", IP: "10.0.0.1\u0000" }] }), "IPSet.0.IP"],
    ["with thousands of IPs", changed({ IPSet: Array(5_000).fill({ Type: "Bgp", IP: "1.1.1.1" }) }), "IPSet"],
    ["with null in DiskSet", changed({ DiskSet: [null] }), "DiskSet.0"],
    ["with a wordy disk size", changed({ DiskSet: [{ Size: "big" }] }), "DiskSet.0.Size"],
    ["with disks that overflow", changed({ DiskSet: [{ Size: 2 ** 31 - 1 }, { Size: 1 }] }), "DiskSet"],
  ])("that is %s is rejected, naming the field and not the value", (_name, item, field) => {
    const result = parseHost(item);
    if (!("rejected" in result)) throw new Error("should have been rejected");
    expect(result.rejected.reason).toContain(field);
    expect(result.rejected.id).toBe(field === "UHostId" || field === "记录不是对象" ? null : "uhost-demo0001");
  });
});
