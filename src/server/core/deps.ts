import type { EntityManager } from "@mikro-orm/postgresql";
import type { Clock } from "./clock.ts";
import type { LocalBus } from "./local-bus.ts";
import type { Log } from "./log.ts";
import type { Metrics } from "./metrics.ts";
import type { JobQueue, Outbound, PasswordHasher } from "./ports.ts";
import type { SecretBox } from "./secrets.ts";

export interface SessionLimits {
  readonly ttl: number;
  readonly idle: number;
}

/** Each service names the few it uses: `Pick<Deps, "em" | "clock">`. */
export interface Deps {
  readonly em: EntityManager;
  readonly log: Log;
  readonly clock: Clock;
  readonly secrets: SecretBox;
  readonly bus: LocalBus;
  readonly passwords: PasswordHasher;
  readonly jobs: JobQueue;
  readonly outbound: Outbound;
  readonly metrics: Metrics;
  readonly sessionLimits: SessionLimits;
  /** Aborted when this process stops. */
  readonly stopping: AbortSignal;
}
