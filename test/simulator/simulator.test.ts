import { describe, expect, test } from "vitest";
import { z } from "zod";
import { MAIN_KEYS, SUB_KEYS } from "../../src/simulator/options.ts";
import { call, LIST, listAll, NOW, post, signed, start } from "./client.ts";

const GET_REGION = { Action: "GetRegion" };

describe("the simulator's gateway", () => {
  test("a published signature is accepted as JSON, form and query, and refused when anything is changed", async () => {
    const { url } = await start();
    const params = {
      Action: "DescribeUHostInstance",
      Region: "cn-bj2",
      "UHostIds.0": "uhost-a",
      "UHostIds.1": "uhost-b",
    };
    const signature = "f9cd05976ab6ec5c6af52fb7110818888de8d6c4";
    const all = { ...params, PublicKey: MAIN_KEYS.publicKey, Signature: signature };
    const encoded = new URLSearchParams(all);
    const answers = [
      await post(url, all),
      await fetch(url, { method: "POST", body: encoded }),
      await fetch(`${url}/?${encoded}`),
    ];
    for (const answer of answers) {
      expect(answer.headers.get("x-ucloud-request-uuid")).toMatch(/^[0-9a-f-]{36}$/);
      expect(await answer.json()).toMatchObject({ RetCode: 0 });
    }
    for (const changed of [{ Signature: signature.replace(/4$/, "5") }, { Extra: "1" }]) {
      const answer = await post(url, { ...all, ...changed });
      expect(await answer.json()).toEqual({ RetCode: 171, Message: "Signature VerifyAC Error" });
    }
  });

  test.each<[string, unknown, number]>([
    ["a body that is not an object", null, 160],
    ["a missing signature", GET_REGION, 170],
    ["an unknown key", { ...GET_REGION, PublicKey: "nobody", Signature: "0" }, 172],
    ["an unknown action", signed({ Action: "TerminateEverything" }), 161],
    ["a listing without a region", signed({ Action: LIST.Action }), 220],
    ["a page of more than 100 hosts", signed({ ...LIST, Limit: 101 }), 230],
    ["a page beyond the last host", signed({ ...LIST, Offset: 301 }), 230],
    ["an unknown region", signed({ ...LIST, Region: "cn-nowhere" }), 230],
    ["an unknown project", signed({ ...LIST, ProjectId: "org-nope" }), 292],
    ["a sub-account that lists regions", signed(GET_REGION, SUB_KEYS), 299],
    ["a sub-account that lists projects", signed({ Action: "GetProjectList" }, SUB_KEYS), 299],
    ["a sub-account that names no project", signed(LIST, SUB_KEYS), 220],
  ])("%s has its own code", async (_, body, retCode) => {
    const { url } = await start();
    expect(await (await post(url, body)).json()).toMatchObject({ RetCode: retCode });
  });

  test("the pages of all regions and projects contain each host once, and a page has 20 hosts by default", async () => {
    const simulator = await start({ hosts: 1500 });
    const ids = await listAll(simulator);
    expect(new Set(ids).size).toBe(1500);
    expect(ids).toEqual(simulator.control.hosts().map((host) => host.id));
    expect((await call(simulator, { Action: LIST.Action, Region: "cn-bj2" })).UHostSet).toHaveLength(20);
  });

  test("regions that are not opened are listed, with a row per zone, and answer 230 until they are", async () => {
    const simulator = await start({ regions: ["cn-bj2", "hk"] });
    const Rows = z.object({ Regions: z.array(z.object({ Region: z.string(), Zone: z.string() })) });
    const { Regions } = Rows.parse(await call(simulator, GET_REGION));
    expect(Regions).toHaveLength(43);
    expect(new Set(Regions.map((row) => row.Region)).size).toBe(33);
    const closed = { RetCode: 230, Message: "Params [Region] not available" };
    expect(await call(simulator, { ...LIST, Region: "sg" })).toMatchObject(closed);
    simulator.control.setRegionOpen("sg", true);
    expect(await call(simulator, { ...LIST, Region: "sg" })).toMatchObject({ RetCode: 0, TotalCount: 0 });
  });

  test("a lookup by id finds hosts of its region and project only and leaves out unknown ids", async () => {
    const simulator = await start();
    const [first] = simulator.control.hosts({ region: "cn-bj2" });
    const [other] = simulator.control.hosts({ region: "hk" });
    const ids = [other?.id ?? "", first?.id ?? "", "uhost-1zzzzzzz"].map((id, index) => [`UHostIds.${index}`, id]);
    const answer = await call(simulator, { Action: LIST.Action, Region: "cn-bj2", ...Object.fromEntries(ids) });
    expect(answer.TotalCount).toBe(1);
    expect(answer.UHostSet).toEqual([simulator.control.host(first?.id ?? "")]);
  });

  test("a sub-account sees the first project only", async () => {
    const simulator = await start();
    const [own, other] = simulator.control.projects();
    expect((await call(simulator, { ...LIST, ProjectId: other?.id ?? "" }, SUB_KEYS)).RetCode).toBe(299);
    const seen = await call(simulator, { ...LIST, ProjectId: own?.id ?? "" }, SUB_KEYS);
    expect(seen).toEqual(await call(simulator, LIST));
  });

  test("hosts have every state and every kind of expiry", async () => {
    const { control } = await start({ hosts: 5000 });
    const hosts = control.hosts().map(({ id }) => control.host(id) ?? {});
    const states = new Set(hosts.map((host) => String(host.State)));
    const lasting = ["", "Install Fail", "Running", "Stopped"];
    const passing = ["Initializing", "Rebooting", "Resizing", "Starting", "Stopping"];
    expect([...states].toSorted()).toEqual([...lasting, ...passing].toSorted());
    expect(hosts.some((host) => host.IPSet === undefined)).toBe(true);
    expect(hosts.some((host) => host.Name === "")).toBe(true);
    const paid = hosts.filter(({ ChargeType }) => ChargeType === "Month" || ChargeType === "Year");
    const days = paid.map((host) => Math.ceil((Number(host.ExpireTime) - NOW) / 86_400));
    expect(days.some((left) => left < 0)).toBe(true);
    expect(days.some((left) => left >= 1 && left <= 7)).toBe(true);
    expect(days.some((left) => left > 330)).toBe(true);
  });
});

describe("the simulator's control", () => {
  test("the same seed gives the same hosts, another seed other hosts", async () => {
    const [one, same, other] = await Promise.all([start({ seed: 7 }), start({ seed: 7 }), start({ seed: 8 })]);
    expect(await call(one, LIST)).toEqual(await call(same, LIST));
    expect(one.control.hosts()).toEqual(same.control.hosts());
    const ids = new Set(one.control.hosts().map((host) => host.id));
    expect(other.control.hosts().some((host) => ids.has(host.id))).toBe(false);
  });

  test("hosts are removed, restored in their order, added and changed", async () => {
    const simulator = await start();
    const { control } = simulator;
    const before = control.hosts();
    const removed = control.removeHosts({ region: "cn-bj2", count: 5 });
    expect(removed).toHaveLength(5);
    expect(control.removeHosts({ ids: removed })).toEqual([]);
    expect(await listAll(simulator)).toEqual(before.map((host) => host.id).filter((id) => !removed.includes(id)));
    const byId = await call(simulator, { ...LIST, "UHostIds.0": removed[0] ?? "" });
    expect(byId).toMatchObject({ TotalCount: 0, UHostSet: [] });

    const added = control.addHosts({ region: "hk", count: 2, patch: { Name: "新机器" } });
    expect(await listAll(simulator)).toEqual(expect.arrayContaining(added));
    expect(control.host(added[1] ?? "")?.Name).toBe("新机器");
    const ids = [before[10]?.id ?? ""];
    control.updateHosts({ ids }, { State: "Stopped" });
    expect(control.updateHosts({ ids }, { UHostId: "uhost-new", Name: "改名" })).toEqual(["uhost-new"]);
    expect(control.host("uhost-new")).toMatchObject({ UHostId: "uhost-new", State: "Stopped", Name: "改名" });
    expect(control.host(ids[0] ?? "")).toBeUndefined();

    expect(control.restoreHosts()).toHaveLength(5);
    control.removeHosts({ ids: added });
    expect(control.hosts().map(({ id }) => (id === "uhost-new" ? ids[0] : id))).toEqual(before.map(({ id }) => id));
    control.reset();
    expect(control.hosts()).toEqual(before);
  });

  test("held calls wait, are counted and get the hosts of the moment of their release", async () => {
    const simulator = await start();
    const { control } = simulator;
    control.hold({ region: "cn-bj2" });
    const calls = [call(simulator, LIST), call(simulator, LIST), call(simulator, LIST)];
    await control.waitForHeld(3);
    expect(control.calls()).toMatchObject({ inFlight: 3, held: 3, maxConcurrency: 3 });
    expect((await call(simulator, { ...LIST, Region: "hk" })).RetCode).toBe(0);
    control.removeHosts({ region: "cn-bj2" });
    expect(control.release(1)).toBe(1);
    expect(await Promise.race(calls)).toMatchObject({ RetCode: 0, TotalCount: 0 });
    expect(control.calls().held).toBe(2);
    expect(control.release()).toBe(2);
    await Promise.all(calls);
    expect(control.calls()).toMatchObject({ inFlight: 0, total: 4, byAction: { DescribeUHostInstance: 4 } });
  });

  test("a fault rule hits the calls it selects as often as it says", async () => {
    const simulator = await start();
    const { control } = simulator;
    control.addFaults({ region: "cn-bj2", nth: 2, times: 2, fault: { kind: "retCode", retCode: 8857 } });
    const codes: number[] = [];
    for (const Region of ["cn-bj2", "hk", "cn-bj2", "cn-bj2", "cn-bj2"]) {
      codes.push((await call(simulator, { ...LIST, Region })).RetCode);
    }
    expect(codes).toEqual([0, 0, 8857, 8857, 0]);
    expect(control.calls().last.map((record) => record.faults)).toEqual([[], [], ["retCode"], ["retCode"], []]);
  });

  test("an unknown region and an option out of range are refused", async () => {
    await expect(start({ regions: ["cn-nowhere"] })).rejects.toThrow("unknown region cn-nowhere");
    await expect(start({ hosts: 100_001 })).rejects.toThrow("hosts");
  });
});
