import { statfs } from "node:fs/promises";
import type { MikroORM } from "@mikro-orm/postgresql";
import { Gauge } from "prom-client";
import type { Clock, Elapsed } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { Metrics } from "../core/metrics.ts";
import { productVersion } from "../core/product-version.ts";
import { expectWritable } from "../database/expect-writable.ts";
import type { DatabaseConnection } from "../database/open.ts";
import type { EmbeddedDatabase } from "../embedded-database/open.ts";
import { DISK_GAUGES, USAGE_GAUGES } from "./embedded-gauges.ts";
import { addGauges } from "./gauges.ts";
import { createSnapshot } from "./snapshot.ts";
import { readState } from "./state.ts";
import { stateGauges } from "./state-gauges.ts";

/** In seconds: `/readyz` and the metric say the same, unless the database takes longer than a scrape waits. */
const ASKED_EACH_TIME = 0;

export interface MonitorOptions {
  readonly metrics: Pick<Metrics, "registry">;
  readonly orm: MikroORM;
  readonly clock: Clock;
  readonly elapsed: Elapsed;
  readonly log: Log;
  readonly database: DatabaseConnection["kind"];
  /** Null on a PostgreSQL server. */
  readonly embedded: { readonly usage: EmbeddedDatabase["usage"]; readonly dataDir: string } | null;
  /** Resolves when the queue, of which the state tells too, has its tables. */
  readonly queue: Promise<unknown>;
  /** What `/readyz` says. */
  isReady(): Promise<boolean>;
}

/**
 * Adds to the metrics what has to be asked for: the state in the database, the database's thread, its disk. Disposing it ends the
 * asking between scrapes.
 */
export function monitor(options: MonitorOptions): Disposable {
  const { orm, clock, elapsed, log, database, embedded, queue, isReady } = options;
  const { registry } = options.metrics;
  const snapshots = new DisposableStack();
  const watch = <Value>(take: () => Promise<Value>, freshFor?: number) =>
    snapshots.use(createSnapshot(take, { elapsed, log, ...(freshFor === undefined ? {} : { freshFor }) }));
  const state = watch(async () => {
    await queue;
    await expectWritable(orm);
    return await readState(orm, clock);
  });
  addGauges(registry, state.read, stateGauges(clock));
  const isUp = async () => {
    await state.read();
    return !state.isAway;
  };
  addClaim(registry, "console_database_up", "1 while the database answers and takes writes, 0 while it is away", isUp);
  const readiness = watch(isReady, ASKED_EACH_TIME);
  const wasReady = async () => (await readiness.read()) === true;
  addClaim(registry, "console_ready", "1 while the process should get requests", wasReady);

  const usage = watch(async () => (await embedded?.usage()) ?? null);
  addGauges(registry, usage.read, USAGE_GAUGES);
  const disk = watch(async () => (embedded === null ? null : await statfs(embedded.dataDir)));
  addGauges(registry, disk.read, DISK_GAUGES);

  new Gauge({
    name: "console_build_info",
    help: "Always 1: the version that runs, and the kind of its database (embedded, server)",
    labelNames: ["version", "database"],
    registers: [registry],
  }).set({ version: productVersion(), database }, 1);
  return snapshots;
}

function addClaim(registry: Metrics["registry"], name: string, help: string, holds: () => Promise<boolean>): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      this.set((await holds()) ? 1 : 0);
    },
  });
}
