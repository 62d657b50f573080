import type { EntityManager } from "@mikro-orm/postgresql";
import type { Actor } from "./actor.ts";
import type { AuditTrail } from "./audit-trail.ts";
import type { Clock } from "./clock.ts";
import type { DatabaseClock } from "./database/database-clock.ts";
import type { Outbound } from "./egress/guard.ts";
import type { JobQueue } from "./jobs/queue.ts";
import type { LocalBus } from "./local-bus.ts";
import type { Log } from "./log.ts";
import type { Metrics } from "./metrics.ts";
import type { SecretBox } from "./secrets.ts";

/**
 * What modules are given beside what platform has. Each declares its own members in its `deps.ts`, so
 * that this file needs to know none of them.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled in by declaration merging.
export interface ModuleDeps {}

/** What the services of a process are given. Each module names what it uses in its `deps.ts`. */
export interface Deps extends ModuleDeps {
  readonly em: EntityManager;
  /** Set by the procedures, the jobs and the commands. */
  readonly actor: Actor;
  /** Of calls only: what is known of them for the audit log. */
  readonly auditTrail?: AuditTrail;
  readonly log: Log;
  readonly clock: Clock;
  /** Decides what is due: process clocks differ. */
  readonly databaseClock: DatabaseClock;
  readonly bus: LocalBus;
  /** Seals what is secret at rest. */
  readonly secrets: SecretBox;
  /** The only way out to addresses that people have entered. */
  readonly outbound: Outbound;
  /** Of jobs only: bounds how many transactions of theirs are under way, see `jobs.ts`. */
  readonly transactionTurns?: <Result>(work: () => Promise<Result>) => Promise<Result>;
  readonly jobs: JobQueue;
  readonly metrics: Metrics;
  /** Aborted once the runs of a stopping process have ended. */
  readonly stopping: AbortSignal;
}
