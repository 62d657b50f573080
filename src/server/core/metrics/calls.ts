import { Counter, Histogram, type Registry } from "prom-client";

export interface CallMetrics {
  readonly calls: Histogram<"procedure" | "outcome">;
  readonly responses: Counter<"surface" | "status">;
  readonly limited: Counter<"surface">;
  readonly signIns: Counter<"outcome">;
}

export function createCallMetrics(registry: Registry): CallMetrics {
  const registers = [registry];
  const metrics: CallMetrics = {
    calls: new Histogram({
      name: "console_call_duration_seconds",
      help: "Procedure calls, over REST, tRPC and sockets alike, by name and outcome (ok or error code)",
      labelNames: ["procedure", "outcome"],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30],
      registers,
    }),
    responses: new Counter({
      name: "console_http_responses_total",
      help: "HTTP answers that no procedure gave (files, refused paths and bodies), without health checks, by surface and status",
      labelNames: ["surface", "status"],
      registers,
    }),
    limited: new Counter({
      name: "console_limited_total",
      help: "What was refused with TOO_MANY_REQUESTS: calls, and sockets that were turned away or closed",
      labelNames: ["surface"],
      registers,
    }),
    signIns: new Counter({
      name: "console_sign_ins_total",
      help: "Sign-ins by outcome: ok, refused, limited, error",
      labelNames: ["outcome"],
      registers,
    }),
  };
  // A series that begins with its first failure hides that one from whoever looks at the increase.
  for (const outcome of ["ok", "refused", "limited", "error"]) metrics.signIns.inc({ outcome }, 0);
  for (const surface of ["call", "socket"]) metrics.limited.inc({ surface }, 0);
  return metrics;
}
