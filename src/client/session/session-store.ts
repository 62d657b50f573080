import type { SignIn } from "@shared/auth.ts";
import { readStorage, writeStorage } from "@/lib/storage";
import { forgetAll } from "@/lib/tab-memory";

const TOKEN_KEY = "ucloud_token";
const USER_KEY = "ucloud_user";
/**
 * Written for a moment when somebody signs out: other tabs cannot tell that from a session that
 * ended.
 */
const SIGNED_OUT_KEY = "ucloud_signed_out";

/**
 * Why the last session ended: the server refused it, or the person signed out here; null for
 * anything else.
 */
export type SignOutReason = "expired" | "logout" | null;
type SessionState = { readonly token: string | null; readonly reason: SignOutReason };
export type SessionStore = ReturnType<typeof createSessionStore>;

/**
 * The token of the session, kept in local storage and shared by all tabs. Each tab holds what it
 * last read and follows the others: who signs in, out or as somebody else in one tab has done so in
 * all of them.
 */
export function createSessionStore() {
  const listeners = new Set<() => void>();
  let state: SessionState = { token: storedToken(), reason: null };

  function setState(next: SessionState): void {
    if (next.token === state.token && next.reason === state.reason) return;
    state = next;
    for (const listener of listeners) listener();
  }

  function subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  /** Takes over what another tab has stored. */
  function readAgain(): void {
    const token = storedToken();
    if (token !== state.token) setState({ token, reason: null });
  }

  /** The token is written last and removed first, because other tabs react to it. */
  function signIn({ token, user }: SignIn): void {
    writeStorage(USER_KEY, JSON.stringify(user));
    writeStorage(TOKEN_KEY, token);
    setState({ token, reason: null });
  }

  function signOut(reason: SignOutReason): void {
    if (reason === "logout") {
      forgetAll();
      writeStorage(SIGNED_OUT_KEY, "now");
      writeStorage(SIGNED_OUT_KEY, null);
    }
    writeStorage(TOKEN_KEY, null);
    writeStorage(USER_KEY, null);
    setState({ token: null, reason });
  }

  return {
    get: (): SessionState => state,
    token: (): string | null => state.token,
    subscribe,
    onTokenChange(listener: () => void): void {
      let { token } = state;
      subscribe(() => {
        if (state.token === token) return;
        token = state.token;
        listener();
      });
    },
    signIn,
    signOut,
    /**
     * The server refused `token`. Does nothing when it is not the present one. Where another tab
     * has stored a newer one meanwhile, that is taken over instead of being removed.
     */
    expire(token: string | null): void {
      if (token === null || token !== state.token) return;

      const stored = storedToken();
      if (stored === null || stored === token) signOut("expired");
      else readAgain();
    },
    followOtherTabs(): void {
      window.addEventListener("storage", ({ key }) => {
        if (key === SIGNED_OUT_KEY) forgetAll();
        if (key === null || key === TOKEN_KEY) readAgain();
      });
      // A page restored from the back-forward cache has missed the storage events.
      window.addEventListener("pageshow", ({ persisted }) => persisted && readAgain());
    },
  };
}

/** Null unless a user is stored with the token. */
function storedToken(): string | null {
  return readStorage(USER_KEY) === null ? null : readStorage(TOKEN_KEY);
}
