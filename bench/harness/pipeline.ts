import { randomUUID } from "node:crypto";
import pg from "pg";
import { pino } from "pino";
import { fingerprintOf } from "../../src/server/modules/hosts/fingerprint.ts";
import { PROVIDER_FIELD_NAMES } from "../../src/server/modules/hosts/provider-fields.ts";
import { systemClock } from "../../src/server/platform/clock.ts";
import { columnOf } from "../../src/server/platform/database/postgres-names.ts";
import { createOutboundGuard } from "../../src/server/platform/egress/guard.ts";
import { connectionTo } from "../../src/server/platform/embedded-database/open.ts";
import { createCallGates } from "../../src/server/provider/call-gate.ts";
import { HttpProviderClient } from "../../src/server/provider/client.ts";
import { ProviderFailure } from "../../src/server/provider/failure.ts";
import type { ProviderHost } from "../../src/server/provider/schemas.ts";
import {
  listHosts,
  listProjects,
  listRegions,
  MAX_PAGE_SIZE,
  type Partition,
} from "../../src/server/provider/uhost-api.ts";
import { MAIN_KEYS } from "../../src/simulator/options.ts";

/**
 * The reference of a sync, a perfect pipeline: the calls of a sync by the server's own client, four
 * at once as those of a run that is alone, and meanwhile what came is written, by two connections
 * and one statement a batch. New hosts are inserted, into a table with the columns and indexes of
 * `hosts`; of hosts that are there the fingerprints are compared. What a sync does beside that is
 * missing: the row of the run, its locks, transactions, history, events, hosts that did not come.
 *
 * Prints the seconds of a first sync and of one without changes, with DATABASE_URL or DATA_DIR of a
 * server that runs: `node bench/harness/pipeline.ts PROVIDER-URL`
 */
const BATCH_SIZE = 500;
const PROPERTIES = [
  ...PROVIDER_FIELD_NAMES,
  ...(["id", "ucloudId", "projectId", "region", "changedAt", "presentSince"] as const),
];
const COLUMNS = PROPERTIES.map((property) => ({ property, column: columnOf(property) }));
const COLUMN_LIST = COLUMNS.map(({ column }) => column).join(", ");
const [, , apiUrl = ""] = process.argv;
const { DATABASE_URL = "", DATA_DIR = "" } = process.env;

interface Found {
  readonly host: ProviderHost;
  readonly partition: Partition;
}

type Write = (batch: readonly Found[]) => Promise<void>;

/** Writes what waits as soon as one of the two connections is free. */
class PipelineWriter {
  readonly #write: Write;
  readonly #waiting: Found[] = [];
  readonly #active = new Set<Promise<void>>();

  constructor(write: Write) {
    this.#write = write;
  }

  add(found: readonly Found[]): void {
    this.#waiting.push(...found);
    this.#startBatches();
  }

  async end(): Promise<void> {
    while (this.#active.size > 0) await Promise.all(this.#active);
  }

  #startBatches(): void {
    while (this.#active.size < 2 && this.#waiting.length > 0) {
      const batch = this.#write(this.#waiting.splice(0, BATCH_SIZE)).finally(() => {
        this.#active.delete(batch);
        this.#startBatches();
      });
      this.#active.add(batch);
    }
  }
}

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
await using database = new AsyncDisposableStack();
const config = DATABASE_URL === "" ? connectionTo(DATA_DIR) : { connectionString: DATABASE_URL };
const pool = new pg.Pool({ ...config, max: DATABASE_URL === "" ? 1 : 2 });
database.defer(() => pool.end());
await pool.query("create table hosts_of_pipeline (like hosts including all)");
database.defer(async () => void (await pool.query("drop table hosts_of_pipeline")));
console.log(`synced in ${await syncAll(insertHosts)} and ${await syncAll(compareHosts)} s`);

/** Returns the seconds. */
async function syncAll(write: Write): Promise<number> {
  const startedAt = performance.now();
  const writer = new PipelineWriter(write);
  const [{ items: regions }, { items: projects }] = await Promise.all([
    listRegions(client),
    listProjects(client),
  ]);
  const partitions = regions.flatMap((region) =>
    projects.map((projectId) => ({ region, projectId })),
  );
  await Promise.all(partitions.map((partition) => readPartition(partition, writer)));
  await writer.end();
  return (performance.now() - startedAt) / 1000;
}

async function readPartition(partition: Partition, writer: PipelineWriter): Promise<void> {
  const readPage = async (offset: number) => {
    const { total, hosts } = await listHosts(client, {
      ...partition,
      offset,
      limit: MAX_PAGE_SIZE,
    });
    writer.add(hosts.map((host) => ({ host, partition })));
    return total;
  };
  try {
    const total = await readPage(0);
    const later = Array.from(
      { length: Math.max(0, Math.ceil(total / MAX_PAGE_SIZE) - 1) },
      (_, page) => (page + 1) * MAX_PAGE_SIZE,
    );
    await Promise.all(later.map(readPage));
  } catch (error) {
    // Some regions are not opened for the account.
    if (!(error instanceof ProviderFailure && error.kind === "not-opened")) throw error;
  }
}

async function insertHosts(batch: readonly Found[]): Promise<void> {
  const now = systemClock.now();
  const rows = batch.map(({ host, partition }) => {
    const row = { id: randomUUID(), ...host, ...partition, changedAt: now, presentSince: now };
    const record: Record<string, unknown> = {};
    for (const { property, column } of COLUMNS) record[column] = row[property];
    return record;
  });
  await pool.query(
    `insert into hosts_of_pipeline (${COLUMN_LIST})
     select ${COLUMN_LIST} from json_populate_recordset(null::hosts_of_pipeline, $1::json)
     on conflict (ucloud_id) do nothing`,
    [JSON.stringify(rows)],
  );
}

async function compareHosts(batch: readonly Found[]): Promise<void> {
  const { rows } = await pool.query<{ id: string; fingerprint: string }>(
    "select ucloud_id as id, fingerprint from hosts_of_pipeline where ucloud_id = any($1::text[])",
    [batch.map(({ host }) => host.ucloudId)],
  );
  const stored = new Map(rows.map(({ id, fingerprint }) => [id, fingerprint]));
  const isSame = batch.every(({ host }) => stored.get(host.ucloudId) === fingerprintOf(host));
  if (!isSame) throw new Error("a host has changed");
}
