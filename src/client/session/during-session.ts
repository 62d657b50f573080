import { errorCode } from "@/api/errors";
import type { SessionStore } from "./session-store";

/** With what a request speaks for the session. */
export interface SessionCall {
  readonly token: string;
  /** Aborted when the session changes. */
  readonly signal: AbortSignal;
}

export type CallDuringSession = <Answer>(
  call: (session: SessionCall) => Promise<Answer>,
) => Promise<Answer>;

/**
 * For a request that tRPC cannot carry, because it sends or answers a file. It ends with its
 * session, and a refusal of its token ends the session, as with every other call.
 */
export async function duringSession<Answer>(
  store: SessionStore,
  call: (session: SessionCall) => Promise<Answer>,
): Promise<Answer> {
  const token = store.token() ?? "";
  const ended = new AbortController();
  const unsubscribe = store.subscribe(() => {
    if (store.token() !== token) ended.abort();
  });

  try {
    return await call({ token, signal: ended.signal });
  } catch (error) {
    if (errorCode(error) === "UNAUTHENTICATED") store.expire(token);
    throw error;
  } finally {
    unsubscribe();
  }
}
