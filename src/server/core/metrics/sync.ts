import { Counter, Histogram, type Registry } from "prom-client";

export interface SyncMetrics {
  readonly syncRuns: Counter<"config" | "trigger" | "status">;
  readonly syncRunDuration: Histogram<"config" | "status">;
  readonly syncedHosts: Counter<"config" | "result">;
  readonly providerCalls: Counter<"action" | "outcome" | "ret_code">;
  readonly providerCallDuration: Histogram<"action">;
}

/** `config` is the id of a configuration, of which an operator has a few. */
export function createSyncMetrics(registry: Registry): SyncMetrics {
  const registers = [registry];
  return {
    syncRuns: new Counter({
      name: "console_sync_runs_total",
      help: "Sync runs that ended, by configuration, trigger and final status",
      labelNames: ["config", "trigger", "status"],
      registers,
    }),
    syncRunDuration: new Histogram({
      name: "console_sync_run_duration_seconds",
      help: "Sync runs that this process worked on, from being claimed to their end",
      labelNames: ["config", "status"],
      buckets: [0.5, 1, 2.5, 5, 10, 30, 60, 180, 600, 1800],
      registers,
    }),
    syncedHosts: new Counter({
      name: "console_synced_hosts_total",
      help: "Host records handled by sync, by configuration and result: created, updated, unchanged, gone, rejected",
      labelNames: ["config", "result"],
      registers,
    }),
    providerCalls: new Counter({
      name: "console_provider_calls_total",
      help: "Exchanges with the provider, retries counted singly, by action, outcome (ok or kind of failure) and RetCode",
      labelNames: ["action", "outcome", "ret_code"],
      registers,
    }),
    providerCallDuration: new Histogram({
      name: "console_provider_call_duration_seconds",
      help: "How long exchanges with the provider took, by action",
      labelNames: ["action"],
      buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30],
      registers,
    }),
  };
}
