import type { SignIn } from "@shared/auth.ts";

const TOKEN_KEY = "ucloud_token";
const USER_KEY = "ucloud_user";

/** Why the last session ended: the server refused it, or the person signed out here; null for anything else. */
export type SignOutReason = "expired" | "logout" | null;
export type SessionState = { readonly token: string | null; readonly reason: SignOutReason };
export type SessionStore = ReturnType<typeof createSessionStore>;

/** The token of the session, kept in local storage and shared by all tabs. `openStorage` throws where the browser forbids storage. */
export function createSessionStore(openStorage: () => Storage) {
  const listeners = new Set<() => void>();
  let state: SessionState = { token: readToken(openStorage), reason: null };

  function setState(next: SessionState): void {
    if (next.token === state.token && next.reason === state.reason) return;
    state = next;
    for (const listener of listeners) listener();
  }

  function subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  function signOut(reason: SignOutReason): void {
    write(openStorage, null);
    setState({ token: null, reason });
  }

  /** Takes over what another tab has stored. */
  function readAgain(): void {
    const token = readToken(openStorage);
    if (token !== state.token) setState({ token, reason: null });
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
    signIn(session: SignIn): void {
      write(openStorage, session);
      setState({ token: session.token, reason: null });
    },
    signOut,
    /** The server refused `token`. Does nothing when it is not the present one. */
    expire(token: string | null): void {
      if (token === null || token !== state.token) return;
      const stored = readToken(openStorage);
      if (stored === null || stored === token) signOut("expired");
      else readAgain();
    },
    followOtherTabs(): void {
      window.addEventListener("storage", ({ key }) => {
        if (key === null || key === TOKEN_KEY) readAgain();
      });
      // A page restored from the back-forward cache has missed the storage events.
      window.addEventListener("pageshow", ({ persisted }) => persisted && readAgain());
    },
  };
}

/** Null unless a user is stored with the token. */
function readToken(openStorage: () => Storage): string | null {
  try {
    const storage = openStorage();
    return storage.getItem(USER_KEY) === null ? null : storage.getItem(TOKEN_KEY);
  } catch {
    return null;
  }
}

/** The token is written last and removed first, because other tabs react to it. */
function write(openStorage: () => Storage, session: SignIn | null): void {
  try {
    const storage = openStorage();
    if (session === null) {
      storage.removeItem(TOKEN_KEY);
      storage.removeItem(USER_KEY);
      return;
    }
    storage.setItem(USER_KEY, JSON.stringify(session.user));
    storage.setItem(TOKEN_KEY, session.token);
  } catch {
    // Without storage the session lasts as long as the page.
  }
}
