import { describe, expect, test } from "vitest";
import { z } from "zod";
import { SUB_KEYS } from "../../src/simulator/options.ts";
import { call, LIST, listWorld, NOW, start } from "./speak.ts";

describe("listing", () => {
  test("paging through every region and project meets each host exactly once", async () => {
    const simulator = await start({ hosts: 1500 });
    const seen = await listWorld(simulator);
    expect(seen).toHaveLength(1500);
    expect(new Set(seen).size).toBe(1500);
    expect(seen).toEqual(simulator.control.hosts().map((host) => host.id));
  });

  test("the limits of the real gateway hold", async () => {
    const simulator = await start();
    const { control } = simulator;
    const total = control.hosts({ region: "cn-bj2", projectId: control.projects()[0]?.id }).length;
    expect((await call(simulator, { Action: "DescribeUHostInstance", Region: "cn-bj2" })).UHostSet).toHaveLength(20);
    expect(await call(simulator, { ...LIST, Limit: 101 })).toMatchObject({ RetCode: 230 });
    expect(await call(simulator, { ...LIST, Offset: total + 1 })).toMatchObject({ RetCode: 230 });
    expect(await call(simulator, { ...LIST, Offset: total })).toMatchObject({
      RetCode: 0,
      TotalCount: total,
      UHostSet: [],
    });
    expect(await call(simulator, { Action: "DescribeUHostInstance" })).toMatchObject({ RetCode: 220 });
    expect(await call(simulator, { ...LIST, ProjectId: "org-nope" })).toMatchObject({
      RetCode: 292,
      Message: "Project [org-nope] not exists",
    });
    expect(await call(simulator, { ...LIST, Region: "cn-nowhere" })).toMatchObject({ RetCode: 230 });
  });

  test("regions that are not opened are listed and answer 230", async () => {
    const simulator = await start({ regions: ["cn-bj2", "hk"] });
    const { Regions } = z
      .object({
        Regions: z.array(
          z.object({ Region: z.string(), Zone: z.string(), RegionName: z.string(), IsDefault: z.boolean() }),
        ),
      })
      .parse(await call(simulator, { Action: "GetRegion" }));
    expect(Regions).toHaveLength(43);
    expect(new Set(Regions.map((row) => row.Region)).size).toBe(33);
    expect(await call(simulator, { ...LIST, Region: "sg" })).toEqual({
      RetCode: 230,
      Message: "Params [Region] not available",
      Action: "DescribeUHostInstanceResponse",
    });
    simulator.control.setRegionOpen("sg", true);
    expect(await call(simulator, { ...LIST, Region: "sg" })).toMatchObject({ RetCode: 0, TotalCount: 0 });
  });

  test("look-up by id finds hosts of that region and project only, and leaves out unknown ids", async () => {
    const simulator = await start();
    const [first] = simulator.control.hosts({ region: "cn-bj2" });
    const [elsewhere] = simulator.control.hosts({ region: "hk" });
    const answer = await call(simulator, {
      Action: "DescribeUHostInstance",
      Region: "cn-bj2",
      "UHostIds.0": elsewhere?.id ?? "",
      "UHostIds.1": first?.id ?? "",
      "UHostIds.2": "uhost-1zzzzzzz",
    });
    expect(answer.TotalCount).toBe(1);
    expect(answer.UHostSet).toEqual([simulator.control.host(first?.id ?? "")]);
  });

  test("a sub-account is refused the lists, must name its project, and sees only that", async () => {
    const simulator = await start();
    const [own, other] = simulator.control.projects();
    expect((await call(simulator, { Action: "GetRegion" }, SUB_KEYS)).RetCode).toBe(299);
    expect((await call(simulator, { Action: "GetProjectList" }, SUB_KEYS)).RetCode).toBe(299);
    expect((await call(simulator, LIST, SUB_KEYS)).RetCode).toBe(220);
    expect((await call(simulator, { ...LIST, ProjectId: other?.id ?? "" }, SUB_KEYS)).RetCode).toBe(299);
    const seen = await call(simulator, { ...LIST, ProjectId: own?.id ?? "" }, SUB_KEYS);
    expect(seen).toEqual(await call(simulator, LIST));
  });

  test("hosts have the documented types, with oddities and every kind of expiry among them", async () => {
    const simulator = await start({ hosts: 5000 });
    const records = simulator.control.hosts().map((host) => simulator.control.host(host.id));
    for (const record of records) {
      Documented.parse(record);
      expect(record).not.toHaveProperty("Region");
      expect(record).not.toHaveProperty("ProjectId");
    }
    const states = new Set(records.map((record) => record?.State));
    for (const state of ["Running", "Stopped", "", "Install Fail"]) expect(states).toContain(state);
    expect(records.some((record) => record?.IPSet === undefined)).toBe(true);
    const days = records
      .filter((record) => record?.ChargeType === "Month" || record?.ChargeType === "Year")
      .map((record) => Math.ceil((Number(record?.ExpireTime) - NOW) / 86_400));
    expect(days.some((left) => left < 0)).toBe(true);
    expect(days.some((left) => left >= 1 && left <= 7)).toBe(true);
    expect(days.some((left) => left > 330)).toBe(true);
  });
});

const whole = z.int();
const Documented = z.strictObject({
  UHostId: z.string().startsWith("uhost-"),
  Name: z.string().optional(),
  Remark: z.string().optional(),
  Tag: z.string().optional(),
  Zone: z.string().optional(),
  State: z.string().optional(),
  BootDiskState: z.string().optional(),
  CPU: whole.optional(),
  Memory: whole.multipleOf(1024).optional(),
  GPU: whole.optional(),
  GpuType: z.string().optional(),
  MachineType: z.string().optional(),
  UHostFamily: z.string().optional(),
  CpuPlatform: z.string().optional(),
  UHostType: z.string().optional(),
  HostType: z.string().optional(),
  HotPlugMaxCpu: whole.optional(),
  ChargeType: z.string().optional(),
  CreateTime: whole.max(NOW).optional(),
  ExpireTime: whole.optional(),
  AutoRenew: z.enum(["Yes", "No"]).optional(),
  IsExpire: z.enum(["Yes", "No"]).optional(),
  OsName: z.string().optional(),
  OsType: z.enum(["Linux", "Windows"]).optional(),
  ImageId: z.string().optional(),
  BasicImageId: z.string().optional(),
  BasicImageName: z.string().optional(),
  TotalDiskSpace: whole.optional(),
  StorageType: z.enum(["UDisk", "LocalDisk"]).optional(),
  DiskSet: z
    .array(
      z.strictObject({
        DiskId: z.string(),
        DiskType: z.string(),
        IsBoot: z.enum(["True", "False"]),
        Type: z.string().optional(),
        Name: z.string().optional(),
        Drive: z.string(),
        Size: whole,
        Encrypted: z.string(),
        BackupType: z.string().optional(),
      }),
    )
    .refine((disks) => disks.length === 0 || disks.filter((disk) => disk.IsBoot === "True").length === 1)
    .optional(),
  IPSet: z
    .array(
      z.strictObject({
        IPMode: z.enum(["IPv4", "IPv6"]),
        Type: z.string(),
        IP: z.union([z.ipv4(), z.ipv6()]),
        IPId: z.string().optional(),
        Bandwidth: whole.optional(),
        Weight: whole.optional(),
        Mac: z.string().optional(),
        Default: z.literal("true").optional(),
        VPCId: z.string().optional(),
        SubnetId: z.string().optional(),
      }),
    )
    .optional(),
  NetCapability: z.string().optional(),
  NetworkState: z.string().optional(),
  NetFeatureTag: z.string().optional(),
  TimemachineFeature: z.string().optional(),
  HotplugFeature: z.boolean().optional(),
  CloudInitFeature: z.boolean().optional(),
  IPv6Feature: z.boolean().optional(),
  HpcFeature: z.boolean().optional(),
  EpcInstance: z.boolean().optional(),
  SecGroupInstance: z.boolean().optional(),
  HiddenKvm: z.boolean().optional(),
  LifeCycle: z.string().optional(),
  IsolationGroup: z.string().optional(),
  RdmaClusterId: z.string().optional(),
  RestrictMode: z.string().optional(),
  KeyPair: z.strictObject({ KeyPairId: z.string().optional(), KeyPairState: z.string().optional() }).optional(),
  SpotAttribute: z.strictObject({ RecycleTime: whole }).optional(),
});
