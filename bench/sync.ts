import type { DatabaseKind, Databases } from "./harness/databases.ts";
import { fetchAlone, fetchAloneWarm } from "./harness/fetch-floor.ts";
import type { Figure } from "./harness/figure.ts";
import type { Measurement } from "./harness/measurement.ts";
import { median } from "./harness/samples.ts";
import { timeSyncs } from "./harness/sync-run.ts";
import { startProvider, startWorkbench } from "./harness/workbench.ts";

const HOSTS = 10_000;
/** Servers that are started, each for one first sync and so many more. */
const SERVERS = 3;
const MORE_ROUNDS = 3;

/** Seconds, cold and warm, of one server. */
interface Round {
  readonly calls: number;
  readonly cold: { readonly floor: number; readonly sync: number };
  readonly warm: { readonly floor: number; readonly sync: number };
}

/**
 * A sync of 10,000 hosts into an empty table at 20 ms a call, from the click to its end, beside the same calls alone: the first thing
 * that a process does, and once both it and its like have compiled what they run.
 */
export const sync: Measurement = async (databases) => {
  const figures: Figure[] = [];
  for (const kind of databases.kinds) {
    const rounds: Round[] = [];
    while (rounds.length < SERVERS) rounds.push(await measure(databases, kind));
    for (const state of ["cold", "warm"] as const) {
      figures.push({
        name: `sync of 10,000 new hosts, ${state} process, ${kind}`,
        unit: "s",
        measured: median(rounds.map((round) => round[state].sync)),
        against: {
          name: `fetching alone, ${rounds[0]?.calls} calls`,
          value: median(rounds.map((round) => round[state].floor)),
        },
        goal: { ratio: 1.3 },
      });
    }
  }
  return figures;
};

async function measure(databases: Databases, kind: DatabaseKind): Promise<Round> {
  await using stack = new AsyncDisposableStack();
  const providerUrl = await startProvider(stack, { hosts: HOSTS, latency: 20 });
  const workbench = await startWorkbench(stack, databases, { kind, providerUrl });
  // What the provider's own process compiles is not to be counted: nobody measures the first fetch.
  await fetchAlone(providerUrl, 1);
  const [first] = await fetchAlone(providerUrl, 1);
  const clock = await timeSyncs(workbench);
  const floors: number[] = [];
  const totals: number[] = [];
  while (totals.length < 1 + MORE_ROUNDS) {
    if (totals.length > 0) floors.push((await fetchAloneWarm(providerUrl)).seconds);
    await workbench.database.query("truncate hosts, sync_partitions cascade");
    const { total, run } = await clock.run();
    if (run.created !== HOSTS) throw new Error(`${run.created} hosts were written`);
    totals.push(total);
  }
  const [cold = 0, ...warm] = totals;
  return {
    calls: first.calls,
    cold: { floor: first.seconds, sync: cold },
    warm: { floor: median(floors), sync: median(warm) },
  };
}
