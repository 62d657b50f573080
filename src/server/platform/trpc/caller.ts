import type { EntityManager } from "@mikro-orm/postgresql";
import type { TokenScope } from "../../../shared/api-tokens.ts";
import type { Role } from "../../../shared/roles.ts";

/** Who makes a call. Read from the database for each call. */
export interface Caller {
  readonly id: string;
  /**
   * What sockets and streams of the caller live as long as: the id of its session, or of the API
   * token with which a program calls.
   */
  readonly credentialId: string;
  /** Null in a session. */
  readonly token: CallingToken | null;
  readonly username: string;
  readonly name: string;
  readonly role: Role;
  readonly mustChangePassword: boolean;
  /** Its role must have a second factor, and it has none. */
  readonly lacksSecondFactor: boolean;
}

export interface CallingToken {
  readonly id: string;
  readonly name: string;
  readonly scope: TokenScope;
}

/** What a call brings to say who makes it. */
export interface Credentials {
  /** The bearer token: of a session, or an API token. */
  readonly token: string;
  /** From where, by the rules about proxies. */
  readonly ip: string;
}

// Sessions belong to a module, which platform does not know: it is given these functions.

/**
 * Null when the session or API token is missing or dead, or the token is not for this address.
 * Counts as use of it.
 */
export type FindCaller = (em: EntityManager, credentials: Credentials) => Promise<Caller | null>;

/** The callers of those of these sessions and API tokens that live, by id. Does not count as use. */
export type FindLiveSessions = (
  em: EntityManager,
  ids: readonly string[],
) => Promise<ReadonlyMap<string, Caller>>;
