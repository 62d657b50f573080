import { beforeEach, describe, expect, it } from "vitest";
import { type RefreshOutcome, refreshHosts } from "../../src/server/sync/refresh/refresh-hosts.ts";
import { syncBench } from "./sync-bench.ts";

const bench = syncBench({ hosts: 20, projects: 1, regions: ["cn-bj2"] });
const LIST = { action: "DescribeUHostInstance", byId: false } as const;
let known: string[];

beforeEach(async () => {
  await bench.sync(await bench.config());
  known = await bench.present();
});

/** Outcomes in the order of the provider's ids: `gone`, `present` or the error's sentence. */
async function refresh(ucloudIds: readonly string[]): Promise<string[]> {
  const rows = await bench.database.query("select id, ucloud_id from hosts");
  const ids = new Map(rows.map(({ id, ucloud_id }) => [String(ucloud_id), String(id)]));
  const wanted = ucloudIds.map((ucloudId) => ids.get(ucloudId) ?? "");
  const outcomes = await refreshHosts({ ...bench.process.deps, em: bench.process.deps.em.fork() }, wanted);
  return wanted.map((id) => sentenceOf(outcomes.get(id)));
}

function sentenceOf(outcome: RefreshOutcome | undefined): string {
  if (typeof outcome === "string") return outcome;
  expect(outcome).toMatchObject({ code: "PROVIDER_ERROR" });
  return outcome?.message ?? "";
}

async function heldCount(): Promise<number> {
  const [row] = await bench.database.query("select count(missing_since)::int as held from hosts");
  return Number(row?.held);
}

describe("refreshing many hosts that are not found", () => {
  it("holds a mass removal, counted against present hosts only; smaller batches are marked gone", async () => {
    const removed = bench.simulator.control.removeHosts({ count: 12 });
    const [first, second] = [removed.slice(0, 6), removed.slice(6)];
    const massRemoval = (count: number) =>
      expect.stringMatching(new RegExp(`有 ${count} 台主机未找到，超过主机总数的 30%`));
    expect(await refresh(removed)).toEqual(removed.map(() => massRemoval(12)));
    expect(await heldCount()).toBe(12);
    expect(await refresh(first)).toEqual(first.map(() => "gone"));
    expect(await refresh([...first, ...second])).toEqual([
      ...first.map(() => "gone"),
      ...second.map(() => massRemoval(6)),
    ]);
    expect(await refresh(second.slice(0, 4))).toEqual(["gone", "gone", "gone", "gone"]);
    expect(await bench.present()).toEqual(known.filter((id) => !removed.slice(0, 10).includes(id)));
  });
});

describe("refreshing hosts of a partition that lists none", () => {
  const isEmpty = expect.stringContaining("10 分钟后再次同步确认");

  it("marks them gone when they are refreshed again after ten minutes", async () => {
    const hosts = bench.simulator.control.removeHosts({}).slice(0, 3);
    expect(await refresh(hosts)).toEqual([isEmpty, isEmpty, isEmpty]);
    bench.clock.forward(590);
    expect(await refresh(hosts)).toEqual([isEmpty, isEmpty, isEmpty]);
    bench.clock.forward(15);
    expect(await refresh(hosts)).toEqual(["gone", "gone", "gone"]);
  });
});

it.each([
  ["closed region", 230],
  ["unknown project", 292],
])("refreshing hosts of an unavailable partition holds them however long it lasts: %s", async (_reason, retCode) => {
  bench.simulator.control.addFaults({ action: LIST.action, fault: { kind: "retCode", retCode } });
  const hosts = known.slice(0, 3);
  for (const seconds of [0, 700]) {
    bench.clock.forward(seconds);
    expect(await refresh(hosts)).toEqual(hosts.map(() => expect.stringMatching(/未开通或项目已不存在.*核实/)));
  }
  expect(await heldCount()).toBe(3);
  expect(await bench.present()).toEqual(known);
});
