import type { EntityManager } from "@mikro-orm/postgresql";
import type { Role } from "../../../shared/roles.ts";

/** Who makes a call. Read from the database for each call. */
export interface Caller {
  readonly id: string;
  readonly sessionId: string;
  readonly username: string;
  readonly name: string;
  readonly role: Role;
  readonly mustChangePassword: boolean;
}

// Sessions belong to a module, which platform does not know: it is given these functions.

/** Null when the session of the bearer token is missing or dead. Counts as use of the session. */
export type FindCaller = (em: EntityManager, token: string) => Promise<Caller | null>;

/** The callers of the live ones of these sessions, by session id. Does not count as use. */
export type FindLiveSessions = (
  em: EntityManager,
  ids: readonly string[],
) => Promise<ReadonlyMap<string, Caller>>;
