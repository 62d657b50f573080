import { collectDefaultMetrics, Registry } from "prom-client";
import { type CallMetrics, createCallMetrics } from "./metrics/calls.ts";
import { createEventMetrics, type EventMetrics } from "./metrics/events.ts";
import { createPoolMetrics, type PoolMetrics } from "./metrics/pool.ts";
import { createSyncMetrics, type SyncMetrics } from "./metrics/sync.ts";

/** What the parts of the server count, each at the place where it happens. Labels are never a caller's words. */
export interface Metrics extends CallMetrics, SyncMetrics, EventMetrics, PoolMetrics {
  readonly registry: Registry;
}

/** Prometheus metrics of this process; every name starts with `console_`. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: "console_" });
  return {
    registry,
    ...createCallMetrics(registry),
    ...createSyncMetrics(registry),
    ...createEventMetrics(registry),
    ...createPoolMetrics(registry),
  };
}
