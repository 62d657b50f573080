import type { Bench } from "./harness/bench.ts";
import { type Figure, figure, median } from "./harness/figure.ts";
import { startInstallation } from "./harness/installation.ts";
import { createListRequests, type ListRequest, load } from "./harness/load.ts";

const SMALL = 1_000;
const LARGER = [10_000, 100_000] as const;
/** Lists a second, of ten busy users. */
const RATE = 10;
const RATE_MS = 6_000;
const SYNCS = 3;

/** How does it grow? */
export async function growth(bench: Bench): Promise<Figure[]> {
  const small = await bench.scoped((stack) => measure(stack, bench, SMALL));
  const against = (value: number) => ({
    reference: [`${SMALL.toLocaleString("en")} hosts`, value] as const,
  });
  const figures: Figure[] = [];
  for (const hosts of LARGER) {
    const { page, search, client, sync } = await bench.scoped((stack) =>
      measure(stack, bench, hosts),
    );
    const of = `${hosts.toLocaleString("en")} hosts`;
    figures.push(
      figure(`p95 of ${RATE} list pages a second, ${of}`, page, "ms", against(small.page)),
      figure(`p95 of ${RATE} searches a second, ${of}`, search, "ms", {
        ...against(small.search),
        bar: 150,
      }),
      figure(`p95 of ${RATE} clients' lists a second, ${of}`, client, "ms", against(small.client)),
      figure(`unchanged sync, ${of}`, sync, "s", against(small.sync)),
    );
  }
  return figures;
}

async function measure(stack: AsyncDisposableStack, bench: Bench, hosts: number) {
  const installation = await startInstallation(stack, bench, hosts, 20);
  await installation.sync();
  const { page, search, client } = await createListRequests(installation);
  const p95 = async (requests: readonly ListRequest[]) =>
    (await load(installation.url, requests, AbortSignal.timeout(RATE_MS), RATE)).p95;
  const syncs: number[] = [];
  while (syncs.length < SYNCS) syncs.push((await installation.sync()).seconds);
  return {
    page: await p95(page),
    search: await p95(search),
    client: await p95(client),
    sync: median(syncs),
  };
}
