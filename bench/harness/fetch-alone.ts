import { pino } from "pino";
import { systemClock } from "../../src/server/core/clock.ts";
import { createOutboundGuard } from "../../src/server/egress/guard.ts";
import { createCallGates } from "../../src/server/provider/call-gate.ts";
import { createProviderClient } from "../../src/server/provider/client.ts";
import { ProviderFailure } from "../../src/server/provider/failure.ts";
import { listHosts, listProjects, listRegions, MAX_PAGE_SIZE } from "../../src/server/provider/uhost-api.ts";
import { MAIN_KEYS } from "../../src/simulator/options.ts";

interface Fetched {
  /** For everything. */
  readonly seconds: number;
  readonly calls: number;
  readonly hosts: number;
  /** Seconds to the first page that held one. */
  readonly firstHosts: number | null;
}

interface Partition {
  readonly region: string;
  readonly projectId: string;
}

/**
 * The floor of a sync: the very calls that it makes, five at once, with the server's own client, and no database. A program of its own,
 * so that its first round is as cold as a server's first sync: node bench/harness/fetch-alone.ts PROVIDER-URL ROUNDS
 */
const [apiUrl, rounds] = process.argv.slice(2);
if (apiUrl === undefined) throw new Error("usage: node bench/harness/fetch-alone.ts PROVIDER-URL ROUNDS");

await using guard = createOutboundGuard({ allowedOrigins: [apiUrl] });
let calls = 0;
const client = createProviderClient({
  apiUrl,
  ...MAIN_KEYS,
  dispatcher: guard.dispatcher,
  gate: createCallGates(systemClock).of({ apiUrl, ...MAIN_KEYS }),
  clock: systemClock,
  log: pino({ level: "silent" }),
  onCall: () => {
    calls += 1;
  },
});
const fetched: Fetched[] = [];
while (fetched.length < Number(rounds)) fetched.push(await fetchAll());
console.log(`fetched ${JSON.stringify(fetched)}`);

async function fetchAll(): Promise<Fetched> {
  const startedAt = performance.now();
  const elapsed = () => (performance.now() - startedAt) / 1000;
  const callsBefore = calls;
  let hosts = 0;
  let firstHosts: number | null = null;

  async function readPage(partition: Partition, offset: number): Promise<number> {
    const page = await listHosts(client, { ...partition, offset, limit: MAX_PAGE_SIZE });
    hosts += page.hosts.length;
    if (page.hosts.length > 0) firstHosts ??= elapsed();
    return page.total;
  }

  async function readPartition(partition: Partition): Promise<void> {
    const total = await readPage(partition, 0);
    const offsets = Array.from({ length: Math.ceil(total / MAX_PAGE_SIZE) }, (_, page) => page * MAX_PAGE_SIZE);
    await Promise.all(offsets.slice(1).map((offset) => readPage(partition, offset)));
  }

  const [{ items: regions }, { items: projects }] = await Promise.all([listRegions(client), listProjects(client)]);
  const partitions = regions.flatMap(({ region }) => projects.map(({ id }) => ({ region, projectId: id })));
  await Promise.all(partitions.map((partition) => readPartition(partition).catch(ignoreClosed)));
  return { seconds: elapsed(), calls: calls - callsBefore, hosts, firstHosts };
}

/** Some regions are not opened for the account. */
function ignoreClosed(error: unknown): void {
  if (!(error instanceof ProviderFailure && error.kind === "not-opened")) throw error;
}
