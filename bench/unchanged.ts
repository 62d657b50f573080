import { fetchAlone } from "./harness/fetch-floor.ts";
import type { Figure } from "./harness/figure.ts";
import type { Measurement } from "./harness/measurement.ts";
import { median } from "./harness/samples.ts";
import { timeSyncs } from "./harness/sync-run.ts";
import { startProvider, startWorkbench, type Workbench } from "./harness/workbench.ts";

const ROUNDS = 5;

/** Syncs of 10,000 hosts of which none has changed: how long they take and how many rows they touch. */
export const unchanged: Measurement = async (databases) => {
  const figures: Figure[] = [];
  for (const kind of databases.kinds) {
    await using stack = new AsyncDisposableStack();
    const providerUrl = await startProvider(stack, { hosts: 10_000, latency: 20 });
    const workbench = await startWorkbench(stack, databases, { kind, providerUrl });
    const clock = await timeSyncs(workbench);
    await clock.run();
    const before = await rowVersions(workbench);
    const totals: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      totals.push((await clock.run()).total);
    }
    const floors = (await fetchAlone(providerUrl, ROUNDS)).map(({ seconds }) => seconds);
    const after = await rowVersions(workbench);
    const written = [...after].filter(([id, version]) => before.get(id) !== version).length;
    figures.push({
      name: `host rows written by ${ROUNDS} unchanged syncs, ${kind}`,
      unit: "rows",
      measured: written,
      against: { name: "hosts", value: after.size },
      goal: { limit: 0 },
    });
    figures.push({
      name: `unchanged sync of 10,000 hosts, ${kind}`,
      unit: "s",
      measured: median(totals),
      against: { name: "fetching alone", value: median(floors) },
      goal: { ratio: 1.3 },
    });
  }
  return figures;
};

/** Which transaction wrote each row last, and where it lies: either differs as soon as a row is written at all. */
async function rowVersions({ database }: Workbench): Promise<Map<string, string>> {
  const rows = await database.query("select id, xmin::text || ' ' || ctid::text as version from hosts");
  return new Map(rows.map(({ id, version }) => [String(id), String(version)]));
}
