import { statfs } from "node:fs/promises";
import type { MikroORM } from "@mikro-orm/postgresql";
import { Gauge } from "prom-client";
import type { Clock } from "../core/clock.ts";
import type { DatabaseConnection } from "../core/database.ts";
import type { EmbeddedDatabase } from "../core/embedded-database/open.ts";
import type { Log } from "../core/log.ts";
import type { Metrics } from "../core/metrics.ts";
import { productVersion } from "../core/product-version.ts";
import { DISK_GAUGES, USAGE_GAUGES } from "./embedded-gauges.ts";
import { addGauges } from "./gauges.ts";
import { createSnapshot } from "./snapshot.ts";
import { readState } from "./state.ts";
import { stateGauges } from "./state-gauges.ts";

export interface MonitorOptions {
  readonly metrics: Pick<Metrics, "registry">;
  readonly orm: MikroORM;
  readonly clock: Clock;
  readonly log: Log;
  readonly database: DatabaseConnection["kind"];
  /** Null on a PostgreSQL server. */
  readonly embedded: { readonly usage: EmbeddedDatabase["usage"]; readonly dataDir: string } | null;
  /** Resolves when the queue, of which the state tells too, has its tables. */
  readonly queue: Promise<unknown>;
  isStopping(): boolean;
}

/** Adds to the metrics what has to be asked for: the state in the database, the database's thread, its disk. */
export function monitor(options: MonitorOptions): void {
  const { orm, clock, database, embedded, queue, isStopping } = options;
  const { registry } = options.metrics;
  const state = createSnapshot(async () => {
    await queue;
    return await readState(orm, clock);
  }, options);
  addGauges(registry, state.read, stateGauges(clock));
  const isUp = async () => {
    await state.read();
    return !state.isAway;
  };
  addClaim(registry, "console_database_up", "1 while the database answers, 0 while it is away", isUp);
  const isReady = async () => !isStopping() && (await isUp());
  addClaim(registry, "console_ready", "1 while the process should get requests", isReady);

  const usage = createSnapshot(async () => (await embedded?.usage()) ?? null, options);
  addGauges(registry, usage.read, USAGE_GAUGES);
  const disk = createSnapshot(async () => (embedded === null ? null : await statfs(embedded.dataDir)), options);
  addGauges(registry, disk.read, DISK_GAUGES);

  new Gauge({
    name: "console_build_info",
    help: "Always 1: the version that runs, and the kind of its database (embedded, server)",
    labelNames: ["version", "database"],
    registers: [registry],
  }).set({ version: productVersion(), database }, 1);
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
