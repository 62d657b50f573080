import { pino } from "pino";
import { systemClock } from "../../src/server/platform/clock.ts";
import { createOutboundGuard } from "../../src/server/platform/egress/guard.ts";
import { createCallGates } from "../../src/server/provider/call-gate.ts";
import { HttpProviderClient } from "../../src/server/provider/client.ts";
import { ProviderFailure } from "../../src/server/provider/failure.ts";
import {
  listHosts,
  listProjects,
  listRegions,
  MAX_PAGE_SIZE,
} from "../../src/server/provider/uhost-api.ts";
import { MAIN_KEYS } from "../../src/simulator/options.ts";

/**
 * The reference of a sync: the same calls, four at once, by the server's own client, without a
 * database. Prints the seconds in a new process and for the second time:
 * `node bench/harness/fetch-alone.ts PROVIDER-URL`
 */
const [, , apiUrl = ""] = process.argv;
await using guard = createOutboundGuard({ allowedOrigins: [apiUrl] });
const client = new HttpProviderClient({
  apiUrl,
  ...MAIN_KEYS,
  dispatcher: guard.dispatcher,
  gate: createCallGates(systemClock).of({ apiUrl, ...MAIN_KEYS }),
  priority: "background",
  clock: systemClock,
  log: pino({ level: "silent" }),
  onCall: () => undefined,
});
console.log(`fetched in ${await fetchAll()} and ${await fetchAll()} s`);

/** Returns the seconds. */
async function fetchAll(): Promise<number> {
  const startedAt = performance.now();
  const [{ items: regions }, { items: projects }] = await Promise.all([
    listRegions(client),
    listProjects(client),
  ]);
  const partitions = regions.flatMap((region) =>
    projects.map((projectId) => ({ region, projectId })),
  );
  await Promise.all(partitions.map(fetchPartition));
  return (performance.now() - startedAt) / 1000;
}

async function fetchPartition(partition: {
  readonly region: string;
  readonly projectId: string;
}): Promise<void> {
  const limit = MAX_PAGE_SIZE;
  try {
    const { total } = await listHosts(client, { ...partition, offset: 0, limit });
    const later = Array.from(
      { length: Math.max(0, Math.ceil(total / limit) - 1) },
      (_, page) => (page + 1) * limit,
    );
    await Promise.all(later.map((offset) => listHosts(client, { ...partition, offset, limit })));
  } catch (error) {
    // Some regions are not opened for the account.
    if (!(error instanceof ProviderFailure && error.kind === "not-opened")) throw error;
  }
}
