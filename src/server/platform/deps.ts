import type { EntityManager } from "@mikro-orm/postgresql";
import type { PasswordHasher } from "../modules/auth/password-hasher.ts";
import type { CallGates } from "../provider/call-gates.ts";
import type { Actor } from "./actor.ts";
import type { Clock } from "./clock.ts";
import type { DatabaseClock } from "./database/database-clock.ts";
import type { Outbound } from "./egress/guard.ts";
import type { JobQueue } from "./jobs/queue.ts";
import type { LocalBus } from "./local-bus.ts";
import type { Log } from "./log.ts";
import type { Metrics } from "./metrics.ts";
import type { SecretBox } from "./secrets.ts";

/** Each service names the few it uses: `Pick<Deps, "em" | "clock">`. */
export interface Deps {
  readonly em: EntityManager;
  /** Set by the procedures, the jobs and the commands. */
  readonly actor: Actor;
  readonly log: Log;
  readonly clock: Clock;
  /** Decides what is due: process clocks differ. */
  readonly databaseClock: DatabaseClock;
  readonly secrets: SecretBox;
  readonly bus: LocalBus;
  /** Of jobs only: bounds how many transactions of theirs are under way, see `jobs.ts`. */
  readonly transactionTurns?: <Result>(work: () => Promise<Result>) => Promise<Result>;
  readonly passwords: PasswordHasher;
  readonly jobs: JobQueue;
  readonly outbound: Outbound;
  readonly callGates: CallGates;
  readonly metrics: Metrics;
  /** Absolute and idle life of a session, in seconds. */
  readonly sessionLimits: { readonly ttl: number; readonly idle: number };
  /** Aborted once the runs of a stopping process have ended. */
  readonly stopping: AbortSignal;
}
