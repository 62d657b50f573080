import type { Pool } from "pg";
import { Gauge, type Registry } from "prom-client";

type PoolCounts = Pick<Pool, "totalCount" | "idleCount" | "waitingCount"> & { readonly options: { max: number } };

export interface PoolMetrics {
  /** The pool whose numbers are told from now on. */
  watchPool(pool: PoolCounts): void;
}

export function createPoolMetrics(registry: Registry): PoolMetrics {
  const registers = [registry];
  let pool: PoolCounts | undefined;
  new Gauge({
    name: "console_database_pool_connections",
    help: "Connections of the pool, by state: idle, busy",
    labelNames: ["state"],
    registers,
    collect() {
      if (pool === undefined) return;
      this.set({ state: "idle" }, pool.idleCount);
      this.set({ state: "busy" }, pool.totalCount - pool.idleCount);
    },
  });
  new Gauge({
    name: "console_database_pool_limit",
    help: "The most connections that the pool opens",
    registers,
    collect() {
      this.set(pool?.options.max ?? 0);
    },
  });
  new Gauge({
    name: "console_database_pool_waiting",
    help: "Statements and transactions that wait for a connection of the pool",
    registers,
    collect() {
      this.set(pool?.waitingCount ?? 0);
    },
  });
  return {
    watchPool(watched) {
      pool = watched;
    },
  };
}
