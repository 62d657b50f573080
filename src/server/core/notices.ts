import { EventEmitter } from "node:events";

interface NoticeMap {
  /** Rows were appended to the event log and committed. */
  "events.appended": [];
  /** These sessions, or all of this user's, have just ended. */
  "sessions.ended": [{ readonly userId?: string; readonly sessionId?: string; readonly exceptSessionId?: string }];
  /** A sync run came to an end. */
  "sync.finished": [{ readonly runId: string }];
  /** A sync run was asked to stop. */
  "sync.cancelled": [{ readonly runId: string }];
}

/**
 * Hints inside this process, so that nothing has to wait for the next poll. They are never the truth: whoever listens
 * also looks at the database, because another replica's notices do not arrive here.
 */
export type Notices = EventEmitter<NoticeMap>;

export function createNotices(): Notices {
  return new EventEmitter<NoticeMap>().setMaxListeners(0);
}
