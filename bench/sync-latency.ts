import { copyAlone } from "./harness/copy-floor.ts";
import type { Databases } from "./harness/databases.ts";
import { type FetchFloor, fetchAloneWarm } from "./harness/fetch-floor.ts";
import type { Figure } from "./harness/figure.ts";
import type { Measurement } from "./harness/measurement.ts";
import { median } from "./harness/samples.ts";
import { timeSyncs } from "./harness/sync-run.ts";
import { startProvider, startWorkbench } from "./harness/workbench.ts";

interface Case {
  readonly hosts: number;
  /** ms a call. */
  readonly latency: number;
  /** How often, after once that does not count. */
  readonly rounds: number;
  /** Of what fetching alone takes, at most. */
  readonly goal?: number;
}

const CASES: readonly Case[] = [
  { hosts: 10_000, latency: 0, rounds: 3 },
  { hosts: 10_000, latency: 20, rounds: 3, goal: 1.15 },
  { hosts: 10_000, latency: 50, rounds: 3 },
  { hosts: 100_000, latency: 20, rounds: 1 },
];

/** Syncs into an empty table of a server that has compiled what it runs, beside fetching without writing and writing without fetching. */
export const syncLatency: Measurement = async (databases) => {
  if (!databases.kinds.includes("PostgreSQL")) return [];
  const figures: Figure[] = [];
  for (const each of CASES) figures.push(...(await measure(databases, each)));
  return figures;
};

async function measure(databases: Databases, { hosts, latency, rounds, goal }: Case): Promise<Figure[]> {
  await using stack = new AsyncDisposableStack();
  const providerUrl = await startProvider(stack, { hosts, latency });
  const workbench = await startWorkbench(stack, databases, { kind: "PostgreSQL", providerUrl });
  const clock = await timeSyncs(workbench);
  await clock.run();
  const floors: FetchFloor[] = [];
  const totals: number[] = [];
  while (totals.length < rounds) {
    floors.push(await fetchAloneWarm(providerUrl));
    await workbench.database.query("truncate hosts, sync_partitions cascade");
    const { total, run } = await clock.run();
    if (run.created !== hosts) throw new Error(`${run.created} hosts were written`);
    totals.push(total);
  }
  const copied = await copyAlone(workbench.database, rounds);
  const name = `sync of ${hosts.toLocaleString("en")} new hosts at ${latency} ms a call, PostgreSQL`;
  const common = { name, unit: "s", measured: median(totals) } as const;
  return [
    {
      ...common,
      against: {
        name: `fetching alone, ${floors[0]?.calls} calls`,
        value: median(floors.map(({ seconds }) => seconds)),
      },
      ...(goal === undefined ? {} : { goal: { ratio: goal } }),
    },
    { ...common, against: { name: "COPY of the same rows", value: median(copied) } },
  ];
}
