import { EventEmitter } from "node:events";

/** These sessions, or all sessions of this user, were ended. */
export interface SessionsEnded {
  readonly userId?: string;
  readonly sessionId?: string;
  readonly exceptSessionId?: string;
}

interface LocalEvents {
  /** Rows were appended to the event log and committed. */
  "events.appended": [];
  "sessions.ended": [SessionsEnded];
}

/** Hints inside this process that save a wait for the next poll. Other replicas do not receive them, so listeners also poll the database. */
export type LocalBus = EventEmitter<LocalEvents>;

export function createLocalBus(): LocalBus {
  return new EventEmitter<LocalEvents>().setMaxListeners(0);
}
