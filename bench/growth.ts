import type { Databases } from "./harness/databases.ts";
import type { Figure, Unit } from "./harness/figure.ts";
import { fillWorkbench, type List, listLoad } from "./harness/filled-workbench.ts";
import { load } from "./harness/load.ts";
import type { Measurement } from "./harness/measurement.ts";
import { median } from "./harness/samples.ts";
import { startProvider } from "./harness/workbench.ts";

const FIRST = 1_000;
const LARGER = [10_000, 100_000];
const LATENCY = 20;
const SECONDS = 4;
const WARM_UP = 2;
const SYNCS = 3;

const LISTS: readonly List[] = [
  { name: "hosts, page 1", query: "limit=20", asClient: false },
  { name: "hosts, search", query: "limit=20&search=web-1", asClient: false },
  { name: "hosts, a client with 30 hosts", query: "limit=20", asClient: true },
];

interface Sample {
  readonly name: string;
  readonly unit: Unit;
  readonly measured: number;
}

/** The same lists and the same sync with ten and a hundred times the hosts. On a server only: the embedded database takes minutes. */
export const growth: Measurement = async (databases) => {
  if (!databases.kinds.includes("PostgreSQL")) return [];
  const first = await measure(databases, FIRST);
  const figures: Figure[] = [];
  for (const hosts of LARGER) {
    const samples = await measure(databases, hosts);
    for (const [index, { name, unit, measured }] of samples.entries()) {
      const against = { name: `with ${text(FIRST)}`, value: first[index]?.measured ?? 0 };
      figures.push({ name: `${name}, with ${text(hosts)} hosts, PostgreSQL`, unit, measured, against });
    }
  }
  return figures;
};

async function measure(databases: Databases, hosts: number): Promise<Sample[]> {
  await using stack = new AsyncDisposableStack();
  const providerUrl = await startProvider(stack, { hosts, latency: LATENCY });
  const filled = await fillWorkbench(stack, databases, { kind: "PostgreSQL", providerUrl });
  const samples: Sample[] = [];
  for (const list of LISTS) {
    await load(listLoad(filled, list, WARM_UP));
    const { perSecond } = await load(listLoad(filled, list, SECONDS));
    samples.push({ name: list.name, unit: "/s", measured: perSecond });
  }
  const totals: number[] = [];
  while (totals.length < SYNCS) totals.push((await filled.clock.run()).total);
  samples.push({ name: "unchanged sync", unit: "s", measured: median(totals) });
  return samples;
}

function text(hosts: number): string {
  return hosts.toLocaleString("en");
}
