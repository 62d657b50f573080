import { EventEmitter } from "node:events";
import type { RetriedError } from "./database/transaction.ts";
import type { Caller } from "./trpc/caller.ts";

export interface SessionsEnded {
  readonly userId?: string;
  readonly sessionId?: string;
  readonly exceptSessionId?: string;
}

interface LocalEvents {
  "events.appended": [];
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
  { userId, sessionId, exceptSessionId }: SessionsEnded,
  caller: Caller,
): boolean {
  if (exceptSessionId === caller.sessionId) return false;
  return sessionId === undefined ? userId === caller.id : sessionId === caller.sessionId;
}
