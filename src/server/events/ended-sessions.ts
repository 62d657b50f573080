import type { LocalBus } from "../core/local-bus.ts";

export interface SessionIdentity {
  readonly sessionId: string;
  readonly userId: string;
}

interface SessionsEnded {
  readonly userId?: string;
  readonly sessionId?: string;
  readonly exceptSessionId?: string;
}

/** Whether this notice is about this session. */
export function isEndedBy(notice: SessionsEnded, { sessionId, userId }: SessionIdentity): boolean {
  if (notice.exceptSessionId === sessionId) return false;
  return notice.sessionId === undefined ? notice.userId === userId : notice.sessionId === sessionId;
}

/** Calls the listener in the very moment in which this process ends the session, before the answer to whoever ended it. */
export function onSessionEnd(bus: LocalBus, session: SessionIdentity, listener: () => void): Disposable {
  const onEnded = (notice: SessionsEnded) => {
    if (isEndedBy(notice, session)) listener();
  };
  bus.on("sessions.ended", onEnded);
  return { [Symbol.dispose]: () => void bus.off("sessions.ended", onEnded) };
}
