import type { EntityManager } from "@mikro-orm/postgresql";
import type { TrackedEnvelope } from "@trpc/server";
import type { Dispatcher } from "undici";
import type { StreamEvent } from "../../shared/events.ts";
import type { Role } from "../../shared/roles.ts";

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
export type FindLiveSessions = (em: EntityManager, ids: readonly string[]) => Promise<ReadonlyMap<string, Caller>>;

export interface StreamOpening {
  readonly caller: Caller;
  /** Null means from now on. */
  readonly lastEventId: string | null;
  readonly signal: AbortSignal;
}

export interface EventStream {
  /** Throws UNAUTHENTICATED as soon as the session is dead, TOO_MANY_REQUESTS when the user has too many streams. */
  open(opening: StreamOpening): AsyncGenerator<TrackedEnvelope<StreamEvent>, void, undefined>;
}

/** Throws TOO_MANY_REQUESTS when too many hashes are waiting, in all or from the address `ip` alone. */
export interface PasswordHasher {
  hash(password: string, ip?: string): Promise<string>;
  /** False for a null digest, after the time of a verification, so that unknown names take as long as known ones. */
  verify(digest: string | null, password: string, ip?: string): Promise<boolean>;
  needsRehash(digest: string): boolean;
}

export interface JobQueue {
  send(job: string, payload: Readonly<Record<string, string>>): Promise<void>;
}

export interface Outbound {
  readonly dispatcher: Dispatcher;
  checkUrl(url: string): Promise<{ readonly ok: true } | { readonly ok: false; readonly message: string }>;
}
