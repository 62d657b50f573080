import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { SyncRun } from "../../src/shared/sync.ts";
import { emptied, PROJECTS, RandomProvider, REGIONS, type Round, randomStories } from "./random-provider.ts";
import { syncBench } from "./sync-bench.ts";

const STORIES = Number(process.env.RANDOM_STORIES ?? 3);
/** The same stories at every run unless this is set. */
const SEED = Number(process.env.RANDOM_SEED ?? 20_261_124);
const TEN_MINUTES = 600;

const StoredHost = z.object({
  region: z.string(),
  projectId: z.string(),
  name: z.string(),
  isGone: z.boolean(),
  isHeld: z.boolean(),
});

const bench = syncBench({ hosts: 0, projects: PROJECTS, regions: [...REGIONS] });

describe(`a provider with random changes and faults (seed ${SEED})`, () => {
  const stories = randomStories(STORIES, SEED).map((rounds, index) => ({ rounds, number: index + 1 }));

  test.each(stories)(
    "story $number: no existing host is marked gone, and the database ends equal to the provider",
    async ({ rounds }) => {
      const configId = await bench.config();
      const provider = new RandomProvider(bench.simulator.control);
      provider.heal();
      await bench.sync(configId);
      for (const round of rounds) await play(provider, configId, round);
      provider.heal();
      await expectEqual(provider, await settle(configId));
      provider.undo();
      provider.heal();
      await expectEqual(provider, await settle(configId));
    },
    60_000 * Number(process.env.TEST_TIMEOUT_FACTOR ?? 1),
  );
});

async function play(provider: RandomProvider, configId: string, round: Round): Promise<void> {
  for (const change of round.changes) change(provider);
  bench.clock.forward(round.seconds);
  const before = await readHosts();
  const rules = round.faults.map((makeRule) => makeRule(provider));
  // An empty region is believed after ten minutes, so it may only begin a hold.
  const isAnyHeld = [...before.values()].some(({ isHeld }) => isHeld);
  if (round.emptyRegion !== null && !isAnyHeld) rules.push(emptied(round.emptyRegion));
  provider.setFaults(rules);
  const run = await bench.sync(configId);
  expect(["succeeded", "partial", "failed"]).toContain(run.status);
  expect(run.hostsSeen).toBe(run.created + run.updated + run.unchanged);
  const gone = [...(await readHosts())].filter(([id, { isGone }]) => isGone && before.get(id)?.isGone !== true);
  const living = gone.filter(([id]) => provider.exists(id));
  expect(living, "existing hosts that were marked gone").toEqual([]);
}

/** Two runs, each after ten minutes. */
async function settle(configId: string): Promise<SyncRun> {
  bench.clock.forward(TEN_MINUTES + 1);
  await bench.sync(configId);
  bench.clock.forward(TEN_MINUTES + 1);
  return await bench.sync(configId);
}

/** Every host that a sync can see is present under its name; all other present hosts are held. */
async function expectEqual(provider: RandomProvider, { errors }: SyncRun): Promise<void> {
  const present = [...(await readHosts())].filter(([, { isGone }]) => !isGone);
  const seen = present.filter(([, { isHeld }]) => !isHeld);
  expect(seen.map(([id, { name }]) => [id, name])).toEqual(provider.visible());
  const codes = new Set(errors.map(({ code }) => code));
  const held = present.filter(([, host]) => host.isHeld && provider.isOpen(host));
  if (!codes.has("mass-removal")) expect(held).toEqual([]);
  expect([...codes].filter((code) => code !== "mass-removal" && code !== "unavailable")).toEqual([]);
}

async function readHosts() {
  const rows = await bench.database.query(
    `select ucloud_id, region, project_id as "projectId", name, gone_at is not null as "isGone",
       missing_since is not null as "isHeld"
     from hosts order by ucloud_id`,
  );
  return new Map(rows.map((row) => [String(row.ucloud_id), StoredHost.parse(row)]));
}
