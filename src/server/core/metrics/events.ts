import { Counter, Gauge, Histogram, type Registry } from "prom-client";

export interface EventMetrics {
  readonly sockets: Gauge;
  readonly subscriptions: Gauge;
  readonly deliveredEvents: Counter<"type">;
  readonly eventLag: Histogram;
}

export function createEventMetrics(registry: Registry): EventMetrics {
  const registers = [registry];
  return {
    sockets: new Gauge({ name: "console_sockets", help: "Open WebSocket connections", registers }),
    subscriptions: new Gauge({ name: "console_subscriptions", help: "Open event streams", registers }),
    deliveredEvents: new Counter({
      name: "console_events_delivered_total",
      help: "Events handed to event streams, by type",
      labelNames: ["type"],
      registers,
    }),
    // The log keeps whole seconds: nothing finer can be told.
    eventLag: new Histogram({
      name: "console_event_lag_seconds",
      help: "From the second in which an event was made until it was handed to a stream, replayed events left out",
      buckets: [1, 2, 5, 10, 30, 60, 300],
      registers,
    }),
  };
}
