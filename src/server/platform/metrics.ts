import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { ChannelType } from "../../shared/notice-channels.ts";
import { RETRIED_STATES } from "./database/transaction.ts";

/** Of passwords: `challenged` (a code must follow) and `refused`; of codes: `code_refused`. */
const SIGN_IN_OUTCOMES = ["ok", "challenged", "refused", "code_refused", "limited", "error"];

/**
 * Prometheus metrics of one process, counted where things happen. Labels are never text that a
 * caller sent.
 */
export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry, prefix: "console_" });
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers });
  const metrics = {
    registry,
    calls: new Histogram({
      name: "console_call_duration_seconds",
      help: "Procedure calls over REST, tRPC and WebSocket, by name and outcome (ok or error code)",
      labelNames: ["procedure", "outcome"],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30],
      registers,
    }),
    limited: counter("console_limited_total", "Requests refused because a limit was reached", [
      "surface",
    ]),
    signIns: counter("console_sign_ins_total", "Sign-ins by outcome", ["outcome"]),
    syncRuns: counter("console_sync_runs_total", "Ended sync runs", [
      "config",
      "trigger",
      "status",
    ]),
    syncRunDuration: new Histogram({
      name: "console_sync_run_duration_seconds",
      help: "Duration of sync runs of this process, from claim to end",
      labelNames: ["config", "status"],
      buckets: [0.5, 1, 2.5, 5, 10, 30, 60, 180, 600, 1800],
      registers,
    }),
    syncedHosts: counter("console_synced_hosts_total", "Host records handled by sync", [
      "config",
      "result",
    ]),
    providerCalls: counter("console_provider_calls_total", "Provider calls, each retry counted", [
      "action",
      "outcome",
      "ret_code",
    ]),
    deliveries: counter(
      "console_deliveries_total",
      "Tries to deliver a message, by type of channel and outcome",
      ["type", "outcome"],
    ),
    transactionRetries: counter(
      "console_transaction_retries_total",
      "Transactions that were run again, by the SQLSTATE of their failure",
      ["code"],
    ),
    eventStreams: new Gauge({
      name: "console_event_streams",
      help: "Open event streams",
      registers,
    }),
    eventLag: new Histogram({
      name: "console_event_lag_seconds",
      help: "Time from an event to its delivery to a stream, in whole seconds, without replayed events",
      buckets: [1, 2, 5, 10, 30, 60, 300],
      registers,
    }),
  };
  // A series that starts with its first failure hides that failure from increase().
  for (const outcome of SIGN_IN_OUTCOMES) metrics.signIns.inc({ outcome }, 0);
  for (const surface of ["call", "http", "socket"]) metrics.limited.inc({ surface }, 0);
  for (const type of ChannelType.options) {
    for (const outcome of ["sent", "retry", "refused", "undeliverable", "skipped"]) {
      metrics.deliveries.inc({ type, outcome }, 0);
    }
  }
  for (const code of RETRIED_STATES) metrics.transactionRetries.inc({ code }, 0);
  return metrics;
}
