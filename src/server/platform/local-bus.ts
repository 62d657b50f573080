import { EventEmitter } from "node:events";
import type { Caller } from "./trpc/caller.ts";

export interface SessionsEnded {
  readonly userId?: string;
  readonly sessionId?: string;
  readonly exceptSessionId?: string;
}

interface LocalEvents {
  "events.appended": [];
  "sessions.ended": [SessionsEnded];
  /** A change was refused because its connection takes no writes. */
  "database.read-only": [];
}

/** Hints inside this process that save a wait for the next poll of the database. */
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
