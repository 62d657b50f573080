import { EventEmitter } from "node:events";
import type { RetriedError } from "./database/transaction.ts";
import type { Caller } from "./trpc/caller.ts";

export interface SessionsEnded {
  readonly userId?: string;
  /** The id of a session or of an API token. */
  readonly credentialId?: string;
  readonly exceptCredentialId?: string;
  /** With `userId`: what is open with its API tokens ends as well. */
  readonly withTokens?: boolean;
}

interface LocalEvents {
  "events.appended": [];
  /** The name of a job that is due at once, after the commit of the transaction that sent it. */
  "job.sent": [string];
  "sessions.ended": [SessionsEnded];
  "transaction.retried": [RetriedError];
  /** A change was refused because its connection takes no writes. */
  "database.read-only": [];
}

/** What happens inside this process, for those who would otherwise hear of it later or never. */
export type LocalBus = EventEmitter<LocalEvents>;

export function createLocalBus(): LocalBus {
  return new EventEmitter<LocalEvents>().setMaxListeners(0);
}

export function isEndedBy(
  { userId, credentialId, exceptCredentialId, withTokens = false }: SessionsEnded,
  caller: Caller,
): boolean {
  if (exceptCredentialId === caller.credentialId) return false;
  if (credentialId !== undefined) return credentialId === caller.credentialId;

  return userId === caller.id && (caller.token === null || withTokens);
}
