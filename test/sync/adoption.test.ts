import { beforeEach, expect, it } from "vitest";
import { deleteConfig } from "../../src/server/configs/delete.ts";
import { updateConfig } from "../../src/server/configs/service.ts";
import { syncBench } from "./sync-bench.ts";

const bench = syncBench({ hosts: 60, projects: 2, regions: ["cn-bj2"] });
let main: string;
let sub: string;
/** The provider's ids of the hosts that both keys see. */
let shared: string[];

beforeEach(async () => {
  const [project] = bench.simulator.control.projects();
  const projectId = project?.id ?? "";
  shared = bench.simulator.control.hosts({ projectId }).map(({ id }) => id);
  // The first configuration is the default one, which cannot be deleted.
  sub = await bench.config({ ...bench.simulator.sub, projectIds: [projectId] });
  main = await bench.config();
  await bench.sync(main);
});

async function rowsOf(configId: string): Promise<unknown[]> {
  const rows = await bench.database.query(
    "select id from hosts where config_id = $1 and gone_at is null order by ucloud_id",
    [configId],
  );
  return rows.map(({ id }) => id);
}

function deps() {
  return { ...bench.process.deps, em: bench.process.deps.em.fork() };
}

it("leaves hosts that two keys see with the configuration that found them, which alone marks them gone", async () => {
  // A sub-account may not list regions, so its runs are partial.
  const run = await bench.sync(sub);
  expect(run).toMatchObject({ status: "partial", created: 0, updated: 0, unchanged: shared.length });
  expect(await rowsOf(sub)).toEqual([]);
  const removed = bench.simulator.control.removeHosts({ ids: shared.slice(0, 2) });
  expect(await bench.sync(sub)).toMatchObject({ gone: 0 });
  expect(await bench.gone()).toEqual([]);
  expect(await bench.sync(main)).toMatchObject({ status: "succeeded", gone: 2 });
  expect(await bench.gone()).toEqual(removed.toSorted());
});

it.each(["switched off", "deleted"])(
  "moves the hosts of a configuration that was %s to the next one that sees them",
  async (end) => {
    const before = await rowsOf(main);
    if (end === "deleted") await deleteConfig(deps(), { id: main });
    else await updateConfig(deps(), { id: main, isActive: false });
    expect(await bench.sync(sub)).toMatchObject({ created: 0, updated: shared.length, gone: 0 });
    const adopted = await rowsOf(sub);
    expect(adopted).toHaveLength(shared.length);
    expect(before).toEqual(expect.arrayContaining(adopted));
    const [gone, kept] = [await bench.gone(), await rowsOf(main)];
    const others = 60 - shared.length;
    expect([gone.length, kept.length]).toEqual(end === "deleted" ? [others, 0] : [0, others]);
  },
);
