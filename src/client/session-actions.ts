import type { LoginInput } from "@shared/auth.ts";
import { failureText, isWorthRetrying } from "./failure";
import type { SessionStore } from "./session-store";
import type { ApiClient } from "./trpc";

const SECOND_LOOK_MS = 1000;
const FAREWELL_MS = 5000;

export type SessionActions = ReturnType<typeof createSessionActions>;

/** What a person or the start of the page does to the session. `onLost` gets the sentence to show when a stored session was not confirmed. */
export function createSessionActions(store: SessionStore, api: ApiClient, onLost: (sentence: string) => void) {
  return {
    /** Asks the server who the stored session belongs to; failure clears everything. */
    async confirmStored(): Promise<void> {
      const session = store.get();
      if (session.status !== "loading") return;
      const { token } = session;
      try {
        const user = await api.auth.me.query().catch(async (error: unknown) => {
          if (!isWorthRetrying(error)) throw error;
          await new Promise((resolve) => setTimeout(resolve, SECOND_LOOK_MS));
          return api.auth.me.query();
        });
        store.confirm(token, user);
      } catch (error) {
        // A 401 has already ended it, with its own sentence.
        if (store.token() !== token) return;
        store.end("unconfirmed");
        onLost(failureText(error));
      }
    },
    /** Rejects with the server's failure, after clearing whatever was stored. */
    async login(input: LoginInput): Promise<void> {
      try {
        const { token, user } = await api.auth.login.mutate(input);
        store.signIn(token, user);
      } catch (error) {
        store.end("never");
        throw error;
      }
    },
    /** Ends here at once; the server is told on the way out and need not answer. */
    async logout(): Promise<void> {
      const told = api.auth.logout.mutate(undefined, { signal: AbortSignal.timeout(FAREWELL_MS) });
      // The request reads its token when it is sent, one turn from now.
      await new Promise((resolve) => setTimeout(resolve));
      store.end("logout");
      await told.catch(() => undefined);
    },
    /** Reads the own user again, after a change of password or data. */
    async refreshUser(): Promise<void> {
      const token = store.token();
      if (token === null) return;
      store.confirm(token, await api.auth.me.query());
    },
  };
}
