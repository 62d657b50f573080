import { setTimeout as sleep } from "node:timers/promises";
import type { DatabaseKind, Databases } from "./harness/databases.ts";
import { fetchAlone } from "./harness/fetch-floor.ts";
import type { Figure } from "./harness/figure.ts";
import type { Measurement } from "./harness/measurement.ts";
import { sampleMemory, settledMegabytes } from "./harness/memory.ts";
import { probeDuring } from "./harness/probes.ts";
import { timeSyncs } from "./harness/sync-run.ts";
import { startProvider, startWorkbench } from "./harness/workbench.ts";

const HOSTS = 100_000;
/** How long the same questions are asked of the full, idle server, ms. */
const REST = 5_000;

/** A first sync of 100,000 hosts at 20 ms a call: its time, and what the server is like meanwhile. */
export const large: Measurement = async (databases) => {
  const figures: Figure[] = [];
  for (const kind of databases.kinds) figures.push(...(await measure(databases, kind)));
  return figures;
};

async function measure(databases: Databases, kind: DatabaseKind): Promise<Figure[]> {
  await using stack = new AsyncDisposableStack();
  const providerUrl = await startProvider(stack, { hosts: HOSTS, latency: 20 });
  const workbench = await startWorkbench(stack, databases, { kind, providerUrl });
  const [floor] = await fetchAlone(providerUrl, 1);
  const clock = await timeSyncs(workbench);
  const idle = await settledMegabytes(workbench.server.pid);
  using memory = sampleMemory(workbench.server.pid);
  const busy = await probeDuring(workbench, () => clock.run());
  const peak = memory.peak();
  const resting = await probeDuring(workbench, () => sleep(REST));
  const { total } = busy.result;
  return [
    {
      name: `first sync of 100,000 hosts, ${kind}`,
      unit: "s",
      measured: total,
      against: { name: `fetching alone, ${floor.calls} calls`, value: floor.seconds },
    },
    {
      name: `memory over idle meanwhile, ${kind}`,
      unit: "MB",
      measured: peak - idle,
      against: { name: "idle", value: idle },
      goal: { limit: 150 },
    },
    {
      name: `longest wait for /healthz meanwhile, ${kind}`,
      unit: "ms",
      measured: busy.probed.longestGap,
      against: { name: "after it", value: resting.probed.longestGap },
      goal: { limit: 200 },
    },
    {
      name: `longest event-loop delay meanwhile, ${kind}`,
      unit: "ms",
      measured: busy.probed.longestLag,
      against: { name: "after it", value: resting.probed.longestLag },
      goal: { limit: 200 },
    },
    {
      name: `p95 of ${busy.probed.lists} host lists meanwhile, ${kind}`,
      unit: "ms",
      measured: busy.probed.listP95,
      against: { name: "after it", value: resting.probed.listP95 },
      goal: { limit: 300 },
    },
  ];
}
