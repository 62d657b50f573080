import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

export interface Metrics {
  readonly registry: Registry;
  readonly calls: Histogram<"procedure" | "outcome">;
  readonly providerCalls: Counter<"action" | "outcome">;
  readonly syncRuns: Counter<"status">;
  readonly syncedHosts: Counter<"result">;
  readonly sockets: Gauge;
}

/** Prometheus metrics of this process; every name starts with `console_`. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: "console_" });
  const registers = [registry];
  return {
    registry,
    calls: new Histogram({
      name: "console_call_duration_seconds",
      help: "Procedure calls by name and outcome (ok or error code)",
      labelNames: ["procedure", "outcome"],
      buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 30],
      registers,
    }),
    providerCalls: new Counter({
      name: "console_provider_calls_total",
      help: "Calls of the provider's API by action and outcome (RetCode or failure kind)",
      labelNames: ["action", "outcome"],
      registers,
    }),
    syncRuns: new Counter({
      name: "console_sync_runs_total",
      help: "Sync runs that ended, by final status",
      labelNames: ["status"],
      registers,
    }),
    syncedHosts: new Counter({
      name: "console_synced_hosts_total",
      help: "Host records handled by sync, by result",
      labelNames: ["result"],
      registers,
    }),
    sockets: new Gauge({ name: "console_sockets", help: "Open WebSocket connections", registers }),
  };
}
