import type { LoginInput } from "@shared/auth.ts";
import type { SecondFactorChallenge, SecondFactorInput } from "@shared/second-factor.ts";
import type { CurrentUser } from "@shared/users.ts";
import { createContext, type ReactNode, use, useEffect, useSyncExternalStore } from "react";
import { errorCode } from "@/api/errors";
import { trpc } from "@/api/trpc";
import { forgetAll } from "@/lib/tab-memory";
import { useHasLasted } from "@/lib/use-has-lasted";
import { type CallDuringSession, duringSession } from "./during-session";
import type { SessionStore, SignOutReason } from "./session-store";

/** A sign-in whose password was right, and which waits for a code. */
export type PendingSignIn = SecondFactorChallenge["secondFactor"];

type Session = {
  /** As the server has confirmed it; null while loading or signed out. */
  user: CurrentUser | null;
  isLoading: boolean;
  /** There is a session, and the server does not say whose; it is asked again and again. */
  isUnreachable: boolean;
  /** Asks once more at once. */
  retry: () => Promise<unknown>;
  reason: SignOutReason;
  /**
   * Null when signed in; else what has to be sent with a code. Rejects with the server's error, as
   * the next.
   */
  login: (input: LoginInput) => Promise<PendingSignIn | null>;
  /** The second step of a sign-in. */
  sendCode: (input: SecondFactorInput) => Promise<void>;
  /** Signs out here at once; the server need not answer. */
  logout: () => void;
  /** For a request that tRPC cannot carry. */
  callDuringSession: CallDuringSession;
};

const SessionContext = createContext<Session | null>(null);

/** How often a server that cannot be reached is asked whether the stored session lives. */
const RETRY_MS = 5000;
/** A first answer that takes longer is spoken of; the call itself goes on. */
const PATIENCE_MS = 8000;

/**
 * The token comes from the store, its user from the query `auth.me`.
 *
 * Only a refusal (401) ends a session. A server that fails or does not answer says nothing about
 * it: the token stays, because all tabs share it and a form may be half filled in in another one,
 * and this tab waits until the server answers.
 */
export function SessionProvider({ store, children }: { store: SessionStore; children: ReactNode }) {
  const { token, reason } = useSyncExternalStore(store.subscribe, store.get);
  const utils = trpc.useUtils();
  const me = trpc.auth.me.useQuery(undefined, {
    enabled: token !== null,
    refetchInterval: ({ state }) =>
      state.data === undefined && state.errorUpdateCount > 0 ? RETRY_MS : false,
  });
  const user = token === null ? null : (me.data ?? null);
  const isLoading = token !== null && user === null;
  const isSlow = useHasLasted(isLoading, PATIENCE_MS);

  const userId = user?.id;
  useEffect(() => {
    if (userId !== undefined) forgetAll(userId);
  }, [userId]);

  async function login(input: LoginInput): Promise<PendingSignIn | null> {
    const answer = await orForget(utils.client.auth.login.mutate(input));
    if ("secondFactor" in answer) return answer.secondFactor;

    store.signIn(answer);
    return null;
  }

  async function sendCode(input: SecondFactorInput): Promise<void> {
    store.signIn(await orForget(utils.client.auth.secondFactor.mutate(input)));
  }

  /** A sign-in that is refused takes the notice away that an earlier session has ended. */
  async function orForget<Answer>(call: Promise<Answer>): Promise<Answer> {
    try {
      return await call;
    } catch (error) {
      // Another tab may have signed in meanwhile; its session is not this refusal's.
      if (errorCode(error) === "LOGIN_FAILED" && store.token() === null) store.signOut(null);
      throw error;
    }
  }

  function logout(): void {
    // Not by the client, whose calls end with the session.
    void fetch("/api/auth/logout", {
      method: "POST",
      headers: { authorization: `Bearer ${store.token()}` },
      keepalive: true,
    }).catch(() => undefined);
    store.signOut("logout");
  }

  const session: Session = {
    user,
    isLoading,
    // Counted, because a query forgets its error as soon as it asks again.
    isUnreachable: isLoading && (isSlow || me.errorUpdateCount > 0),
    retry: () => me.refetch(),
    reason,
    login,
    sendCode,
    logout,
    callDuringSession: (call) => duringSession(store, call),
  };
  return <SessionContext value={session}>{children}</SessionContext>;
}

export function useSession(): Session {
  const session = use(SessionContext);
  if (session === null) throw new Error("no SessionProvider above");
  return session;
}

/** The user who is signed in; for pages behind the sign-in only. */
export function useCurrentUser(): CurrentUser {
  const { user } = useSession();
  if (user === null) throw new Error("useCurrentUser outside of a signed-in page");
  return user;
}
