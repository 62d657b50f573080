import { describe, expect, test } from "vitest";
import { z } from "zod";
import { SUB_KEYS } from "../../src/simulator/options.ts";
import { call, LIST, listAll, NOW, start } from "./client.ts";

describe("the simulated listing", () => {
  test("pages of all regions and projects contain each host once", async () => {
    const simulator = await start({ hosts: 1500 });
    const ids = await listAll(simulator);
    expect(new Set(ids).size).toBe(1500);
    expect(ids).toEqual(simulator.control.hosts().map((host) => host.id));
  });

  test("limits of the real gateway hold", async () => {
    const simulator = await start();
    const { control } = simulator;
    const total = control.hosts({ region: "cn-bj2", projectId: control.projects()[0]?.id }).length;
    expect((await call(simulator, { Action: "DescribeUHostInstance", Region: "cn-bj2" })).UHostSet).toHaveLength(20);
    expect(await call(simulator, { ...LIST, Limit: 101 })).toMatchObject({ RetCode: 230 });
    expect(await call(simulator, { ...LIST, Offset: total + 1 })).toMatchObject({ RetCode: 230 });
    const end = { RetCode: 0, TotalCount: total, UHostSet: [] };
    expect(await call(simulator, { ...LIST, Offset: total })).toMatchObject(end);
    expect(await call(simulator, { Action: "DescribeUHostInstance" })).toMatchObject({ RetCode: 220 });
    const unknown = { RetCode: 292, Message: "Project [org-nope] not exists" };
    expect(await call(simulator, { ...LIST, ProjectId: "org-nope" })).toMatchObject(unknown);
    expect(await call(simulator, { ...LIST, Region: "cn-nowhere" })).toMatchObject({ RetCode: 230 });
  });

  test("regions that are not opened are listed and answer 230", async () => {
    const simulator = await start({ regions: ["cn-bj2", "hk"] });
    const Rows = z.object({ Regions: z.array(z.object({ Region: z.string(), Zone: z.string() })) });
    const { Regions } = Rows.parse(await call(simulator, { Action: "GetRegion" }));
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

  test("a lookup by id finds hosts of its region and project only and leaves out unknown ids", async () => {
    const simulator = await start();
    const [first] = simulator.control.hosts({ region: "cn-bj2" });
    const [other] = simulator.control.hosts({ region: "hk" });
    const answer = await call(simulator, {
      Action: "DescribeUHostInstance",
      Region: "cn-bj2",
      "UHostIds.0": other?.id ?? "",
      "UHostIds.1": first?.id ?? "",
      "UHostIds.2": "uhost-1zzzzzzz",
    });
    expect(answer.TotalCount).toBe(1);
    expect(answer.UHostSet).toEqual([simulator.control.host(first?.id ?? "")]);
  });

  test("a sub-account may not list regions and projects, has to name its project and sees only that", async () => {
    const simulator = await start();
    const [own, other] = simulator.control.projects();
    expect((await call(simulator, { Action: "GetRegion" }, SUB_KEYS)).RetCode).toBe(299);
    expect((await call(simulator, { Action: "GetProjectList" }, SUB_KEYS)).RetCode).toBe(299);
    expect((await call(simulator, LIST, SUB_KEYS)).RetCode).toBe(220);
    expect((await call(simulator, { ...LIST, ProjectId: other?.id ?? "" }, SUB_KEYS)).RetCode).toBe(299);
    const seen = await call(simulator, { ...LIST, ProjectId: own?.id ?? "" }, SUB_KEYS);
    expect(seen).toEqual(await call(simulator, LIST));
  });

  test("hosts have every state and every kind of expiry", async () => {
    const simulator = await start({ hosts: 5000 });
    const hosts = simulator.control.hosts().map((host) => simulator.control.host(host.id) ?? {});
    const states = new Set(hosts.map((host) => String(host.State)));
    expect([...states].toSorted()).toEqual([
      "",
      "Initializing",
      "Install Fail",
      "Rebooting",
      "Resizing",
      "Running",
      "Starting",
      "Stopped",
      "Stopping",
    ]);
    expect(hosts.some((host) => host.IPSet === undefined)).toBe(true);
    expect(hosts.some((host) => host.Name === "")).toBe(true);
    const days = hosts
      .filter((host) => host.ChargeType === "Month" || host.ChargeType === "Year")
      .map((host) => Math.ceil((Number(host.ExpireTime) - NOW) / 86_400));
    expect(days.some((left) => left < 0)).toBe(true);
    expect(days.some((left) => left >= 1 && left <= 7)).toBe(true);
    expect(days.some((left) => left > 330)).toBe(true);
  });
});
