import type { EntityManager, SqlEntityManager } from "@mikro-orm/postgresql";
import type { TrackedEnvelope } from "@trpc/server";
import type { JobOptions, Queue } from "pg-boss";
import type { Dispatcher } from "undici";
import type { StreamEvent } from "../../shared/events.ts";
import type { Role } from "../../shared/roles.ts";

// Interfaces that core passes on; implemented in auth, events, jobs, egress and provider.

/** Read from the database for each call. */
export interface Caller {
  readonly id: string;
  readonly sessionId: string;
  readonly username: string;
  readonly name: string;
  readonly role: Role;
  readonly mustChangePassword: boolean;
}

/** Null when the session of the bearer token is missing or dead. Counts as use of the session. */
export type FindCaller = (em: EntityManager, token: string) => Promise<Caller | null>;

/** The callers of the live ones of these sessions, by session id. Does not count as use. */
export type FindLiveSessions = (
  em: EntityManager,
  ids: readonly string[],
) => Promise<ReadonlyMap<string, Caller>>;

export interface StreamOpening {
  readonly caller: Caller;
  readonly lastEventId: string | null;
  readonly signal: AbortSignal;
}

/** Throws UNAUTHENTICATED as soon as the session is dead, TOO_MANY_REQUESTS when the user has too many streams. */
export type OpenEventStream = (
  opening: StreamOpening,
) => AsyncGenerator<TrackedEnvelope<StreamEvent>, void, undefined>;

/**
 * `startAfter`: so many seconds from now, or that moment. `singletonKey`: the queue's `policy` limits
 * the jobs of one key; without a policy it limits nothing.
 */
export type SendOptions = Pick<JobOptions, "startAfter" | "singletonKey">;

export interface JobQueue {
  /** Enqueues in the transaction of `em`. False when the queue's policy allows no further job. */
  send(
    em: SqlEntityManager,
    job: string,
    payload: Readonly<Record<string, string>>,
    options?: SendOptions,
  ): Promise<boolean>;
  /** Makes the workers of this process fetch the job now; call it after the commit. */
  wake(job: string): void;
}

export interface Job {
  readonly name: string;
  /** The schedule in UTC; minutes are the finest step. */
  readonly cron?: string;
  /** Seconds after each time of the schedule at which it runs again: for steps finer than a minute. */
  readonly repeatAfterSeconds?: readonly number[];
  /** Seconds between two reads of the queue, 0.5 or more. */
  readonly pollSeconds: number;
  /** How many of these jobs a process handles at once; 1 by default. */
  readonly workers?: number;
  readonly heartbeatRefreshSeconds?: number;
  /** How the queue keeps and redelivers these jobs; without them a failed job is not retried. */
  readonly options?: Omit<Queue, "name">;
  /** May run more than once for the same payload, on any replica. */
  handle(payload: unknown, delivery: Delivery): Promise<void>;
}

export interface Delivery {
  /** An earlier worker of this job was lost or failed. */
  readonly isRedelivery: boolean;
  /** Aborted when this process stops or the job was given to another worker. */
  readonly signal: AbortSignal;
}

export interface Outbound {
  readonly dispatcher: Dispatcher;
  checkUrl(
    url: string,
  ): Promise<{ readonly ok: true } | { readonly ok: false; readonly message: string }>;
}

/** Limits the provider calls of one key: how many at once, and a pause that all of them keep. */
export interface CallGate {
  /** Rejects with the signal's reason, or with the pause's failure when more than `maxPauseMs` of the pause are left. */
  run<T>(
    task: () => Promise<T>,
    options: { readonly signal: AbortSignal; readonly maxPauseMs: number },
  ): Promise<T>;
  /** No task starts before `at` (`clock.monotonic()`). `failure` makes what a call fails with that does not wait so long. */
  pauseUntil(at: number, failure: (leftMs: number) => Error): void;
}

export interface CallGates {
  of(key: { readonly apiUrl: string; readonly publicKey: string }): CallGate;
}
