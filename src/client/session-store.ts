import { User } from "@shared/users.ts";

const TOKEN_KEY = "ucloud_token";
const USER_KEY = "ucloud_user";

/** Why nobody is signed in: never was, chose to leave, was refused by the server, could not be confirmed at the start, left in another tab. */
export type SignedOutBecause = "never" | "logout" | "expired" | "unconfirmed" | "elsewhere";

export type Session =
  | { readonly status: "loading"; readonly token: string; readonly user: User }
  | { readonly status: "unauthenticated"; readonly because: SignedOutBecause }
  | {
      readonly status: "authenticated";
      readonly token: string;
      readonly user: User;
    };

export type SessionStore = ReturnType<typeof createSessionStore>;

/**
 * Who is signed in here, kept in the browser's storage (opening it throws where the browser forbids it). Starts as "loading" when a token and a user are stored
 * (somebody has to confirm them with the server), else as "unauthenticated".
 */
export function createSessionStore(openStorage: () => Storage) {
  const listeners = new Set<() => void>();
  let session: Session = firstSession(openStorage);

  function become(next: Session): void {
    session = next;
    for (const listener of listeners) listener();
  }

  function end(because: SignedOutBecause): void {
    forget(openStorage);
    if (session.status !== "unauthenticated" || session.because !== because) {
      become({ status: "unauthenticated", because });
    }
  }

  return {
    get: (): Session => session,
    token: (): string | null => (session.status === "unauthenticated" ? null : session.token),
    userId: (): string | null => (session.status === "unauthenticated" ? null : session.user.id),
    signIn(token: string, user: User): void {
      remember(openStorage, token, user);
      become({ status: "authenticated", token, user });
    },
    /** The server's newest word on the present user; ignored when the session it was asked for is gone. */
    confirm(token: string, user: User): void {
      if (session.status === "unauthenticated" || session.token !== token) return;
      remember(openStorage, token, user);
      become({ status: "authenticated", token, user });
    },
    end,
    /** The server refused this token. One that is no longer the present one, or that another tab has replaced, says nothing about who is signed in. */
    expire(token: string): void {
      if (session.status === "unauthenticated" || session.token !== token) return;
      const stored = readStored(openStorage);
      if (stored === null || stored.token === token) end("expired");
      else become({ status: "authenticated", ...stored });
    },
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Follows what other tabs do until the signal aborts. */
    followOtherTabs(signal: AbortSignal): void {
      const follow = () => {
        const stored = readStored(openStorage);
        if (stored === null) {
          if (session.status !== "unauthenticated") become({ status: "unauthenticated", because: "elsewhere" });
        } else if (session.status !== "loading" || stored.token !== session.token) {
          // What another tab stores, it has confirmed.
          become({ status: "authenticated", ...stored });
        }
      };
      window.addEventListener(
        "storage",
        (event) => {
          if (event.key === null || event.key === TOKEN_KEY || event.key === USER_KEY) follow();
        },
        { signal },
      );
      // A page that comes back from the browser's cache has slept through the events.
      window.addEventListener("pageshow", (event) => event.persisted && follow(), { signal });
    },
  };
}

function firstSession(openStorage: () => Storage): Session {
  const stored = readStored(openStorage);
  if (stored !== null) return { status: "loading", ...stored };
  forget(openStorage);
  return { status: "unauthenticated", because: "never" };
}

function readStored(openStorage: () => Storage): { token: string; user: User } | null {
  try {
    const storage = openStorage();
    const token = storage.getItem(TOKEN_KEY);
    const user = User.safeParse(JSON.parse(storage.getItem(USER_KEY) ?? "null"));
    return token && user.success ? { token, user: user.data } : null;
  } catch {
    return null;
  }
}

/** The user first: other tabs act when the token appears, and then find both. */
function remember(openStorage: () => Storage, token: string, user: User): void {
  try {
    const storage = openStorage();
    storage.setItem(USER_KEY, JSON.stringify(user));
    storage.setItem(TOKEN_KEY, token);
  } catch {
    // Storage is closed to this page or full: the session then lasts as long as the page.
  }
}

function forget(openStorage: () => Storage): void {
  try {
    const storage = openStorage();
    storage.removeItem(TOKEN_KEY);
    storage.removeItem(USER_KEY);
  } catch {
    // As above: there is nothing stored to forget.
  }
}
