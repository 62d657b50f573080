import type { User } from "@shared/users.ts";
import { createContext, type ReactNode, use, useSyncExternalStore } from "react";
import type { SessionActions } from "./session-actions";
import type { Session, SessionStore, SignedOutBecause } from "./session-store";

type SessionContextValue = { store: SessionStore; actions: SessionActions };

const SessionContext = createContext<SessionContextValue | null>(null);

export function SessionProvider({ store, actions, children }: SessionContextValue & { children: ReactNode }) {
  return <SessionContext value={{ store, actions }}>{children}</SessionContext>;
}

type SessionView = {
  /** The user confirmed by the server; null while loading or signed out. */
  user: User | null;
  token: string | null;
  isAuthenticated: boolean;
  isLoading: boolean;
  /** Null while somebody is signed in. */
  signedOutBecause: SignedOutBecause | null;
};

/** The auth state, and what can be done to it: `login`, `logout`, `refreshUser`. */
export function useSession(): SessionView & SessionActions {
  const { store, actions } = useSessionContext();
  const session = useSyncExternalStore(store.subscribe, store.get);
  return { ...viewOf(session), ...actions };
}

/** Whoever is signed in. Only below the shell, where there is always somebody. */
export function useCurrentUser(): User {
  const { user } = useSession();
  if (user === null) throw new Error("useCurrentUser outside of a signed-in page");
  return user;
}

/** For what must act on the session outside of a render. */
export function useSessionStore(): SessionStore {
  return useSessionContext().store;
}

function useSessionContext(): SessionContextValue {
  const context = use(SessionContext);
  if (context === null) throw new Error("no SessionProvider above");
  return context;
}

function viewOf(session: Session): SessionView {
  const isAuthenticated = session.status === "authenticated";
  return {
    user: session.status === "authenticated" ? session.user : null,
    token: session.status === "authenticated" ? session.token : null,
    isAuthenticated,
    isLoading: session.status === "loading",
    signedOutBecause: session.status === "unauthenticated" ? session.because : null,
  };
}
