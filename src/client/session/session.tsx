import type { LoginInput } from "@shared/auth.ts";
import type { User } from "@shared/users.ts";
import { createContext, type ReactNode, use, useEffect, useSyncExternalStore } from "react";
import { errorMessage } from "@/api/errors";
import { trpc } from "@/api/trpc";
import { notify } from "@/lib/notify";
import type { SessionStore, SignOutReason } from "./session-store";

type Session = {
  /** As the server has confirmed it; null while loading or signed out. */
  user: User | null;
  isLoading: boolean;
  reason: SignOutReason;
  /** Rejects with the server's error, after clearing what was stored. */
  login: (input: LoginInput) => Promise<void>;
  /** Signs out here at once; the server need not answer. */
  logout: () => void;
};

const SessionContext = createContext<Session | null>(null);

/** The token comes from the store, its user from the query `auth.me`. */
export function SessionProvider({ store, children }: { store: SessionStore; children: ReactNode }) {
  const { token, reason } = useSyncExternalStore(store.subscribe, store.get);
  const utils = trpc.useUtils();
  const me = trpc.auth.me.useQuery(undefined, { enabled: token !== null });
  const user = token === null ? null : (me.data ?? null);

  // A stored session that the server cannot confirm is dropped. One that it refused has ended already.
  const failure = me.isLoadingError ? me.error : null;
  useEffect(() => {
    if (failure === null || store.token() === null) return;
    store.signOut(null);
    notify.error(errorMessage(failure), { id: "session" });
  }, [failure, store]);

  async function login(input: LoginInput): Promise<void> {
    try {
      const session = await utils.client.auth.login.mutate(input);
      store.signIn(session);
      utils.auth.me.setData(undefined, session.user);
    } catch (error) {
      store.signOut(null);
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

  return (
    <SessionContext value={{ user, reason, isLoading: token !== null && user === null, login, logout }}>
      {children}
    </SessionContext>
  );
}

export function useSession(): Session {
  const session = use(SessionContext);
  if (session === null) throw new Error("no SessionProvider above");
  return session;
}

/** The user who is signed in; for pages behind the sign-in only. */
export function useCurrentUser(): User {
  const { user } = useSession();
  if (user === null) throw new Error("useCurrentUser outside of a signed-in page");
  return user;
}
