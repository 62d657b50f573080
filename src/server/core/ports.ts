import type { EntityManager } from "@mikro-orm/postgresql";
import type { TrackedEnvelope } from "@trpc/server";
import type { Dispatcher } from "undici";
import type { StreamEvent } from "../../shared/events.ts";
import type { Role } from "../../shared/roles.ts";

/** Who makes a call, read live from the database for that call. */
export interface Caller {
  readonly id: string;
  readonly sessionId: string;
  readonly username: string;
  readonly name: string;
  readonly role: Role;
  readonly mustChangePassword: boolean;
}

/** The caller behind a bearer token, or null when the session is missing or dead. Also counts as use of the session. */
export type FindCaller = (em: EntityManager, token: string) => Promise<Caller | null>;

/** The callers of those of these sessions that are alive, by session id, in one statement. Does not count as use. */
export type FindLiveSessions = (
  em: EntityManager,
  sessionIds: readonly string[],
) => Promise<ReadonlyMap<string, Caller>>;

/** Where the events of one stream go: straight to its socket, as frames of the stream's call. */
export interface Outlet {
  send(eventId: string, event: StreamEvent): void;
}

/** The outlet of the stream that sent this event first; tRPC must have passed that on. */
export type OutletOf = (firstEvent: StreamEvent) => Outlet;

export interface StreamOpening {
  readonly caller: Caller;
  /** An id that the stream gave, or null for "from now on". */
  readonly lastEventId: string | null;
  readonly signal: AbortSignal;
  readonly outletOf: OutletOf;
}

/** The event log as one caller may see it. */
export interface EventStream {
  /**
   * Yields `stream.ready`, then sends everything after `lastEventId` through the outlet, in order, at least once, until the signal
   * aborts. Fails with UNAUTHENTICATED as soon as the caller's session is dead.
   */
  open(opening: StreamOpening): AsyncGenerator<TrackedEnvelope<StreamEvent>, void, undefined>;
  /** Id of the newest event that this process knows of, 0 before it knows any: what the database says from now on includes it. */
  newestKnown(): string;
}

/** Throws TOO_MANY_REQUESTS when too many hashes are waiting, in all or from the address `ip` alone. */
export interface PasswordHasher {
  hash(password: string, ip?: string): Promise<string>;
  /** False for a null digest, after the time of a verification, so that unknown names take as long as known ones. */
  verify(digest: string | null, password: string, ip?: string): Promise<boolean>;
  /** Whether the digest was made with other parameters than new ones are. */
  needsRehash(digest: string): boolean;
}

/** Durable work for later, shared by all replicas. */
export interface JobQueue {
  send(job: string, payload: Readonly<Record<string, string>>): Promise<void>;
}

/** Which addresses outside may be called, and the only way to call them. */
export interface Outbound {
  readonly dispatcher: Dispatcher;
  /** For an address about to be stored. A name that does not resolve right now passes; it fails at the call. */
  checkUrl(url: string): Promise<{ readonly ok: true } | { readonly ok: false; readonly message: string }>;
}
