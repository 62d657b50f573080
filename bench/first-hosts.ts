import { fetchAlone } from "./harness/fetch-floor.ts";
import type { Figure } from "./harness/figure.ts";
import type { Measurement } from "./harness/measurement.ts";
import { median } from "./harness/samples.ts";
import { timeSyncs, untilHostIsListed } from "./harness/sync-run.ts";
import { startProvider, startWorkbench } from "./harness/workbench.ts";

const ROUNDS = 3;

/** How soon after the click the first hosts are there, of 10,000 at 20 ms a call. */
export const firstHosts: Measurement = async (databases) => {
  const figures: Figure[] = [];
  for (const kind of databases.kinds) {
    const alone: number[] = [];
    const listed: number[] = [];
    const told: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      await using stack = new AsyncDisposableStack();
      const providerUrl = await startProvider(stack, { hosts: 10_000, latency: 20 });
      const workbench = await startWorkbench(stack, databases, { kind, providerUrl });
      const [floor] = await fetchAlone(providerUrl, 1);
      alone.push(floor.firstHosts);
      const clock = await timeSyncs(workbench);
      const [seconds, { firstEvent }] = await Promise.all([untilHostIsListed(workbench), clock.run()]);
      listed.push(seconds);
      told.push(firstEvent ?? Number.POSITIVE_INFINITY);
    }
    const against = { name: "fetching alone meets one after", value: median(alone) };
    const common = { unit: "s", against, goal: { limit: 2 } } as const;
    figures.push({ name: `first hosts listed, ${kind}`, measured: median(listed), ...common });
    figures.push({ name: `first hosts told by an event, ${kind}`, measured: median(told), ...common });
  }
  return figures;
};
