import type { Account, TestApp } from "../harness/app.ts";
import { PASSWORD } from "../harness/root-user.ts";

/** Callers with a live session, by the columns of the table. */
export const LIVE = [
  ["superAdmin", "a super admin"],
  ["admin", "the client's admin"],
  ["otherAdmin", "another admin"],
  ["client", "the client"],
  ["sibling", "a client of the same admin"],
  ["otherClient", "a client of another admin"],
] as const;
export type Live = (typeof LIVE)[number][0];

/** Callers without a valid session. All but the first were super admins. */
export const WITHOUT_SESSION = [
  ["nobody", "a caller without a token"],
  ["forger", "a caller with a forged token"],
  ["mangler", "a caller with a malformed token"],
  ["signedOut", "a caller who has signed out"],
  ["refreshed", "a caller with the token from before a refresh"],
  ["expired", "a caller whose session passed its absolute timeout"],
  ["idle", "a caller whose session passed its idle timeout"],
  ["disabled", "a disabled user"],
  ["deleted", "a deleted user"],
  ["reset", "a user whose password was reset"],
  ["changed", "a user who changed the password in another session"],
] as const;
export type WithoutSession = (typeof WITHOUT_SESSION)[number][0];

/** A body of auth.changePassword. */
export const PASSWORD_CHANGE = { currentPassword: PASSWORD, newPassword: `${PASSWORD}2` };

/** Session lifetimes of the server under test, in seconds. */
export const SESSION = { ttl: 3600, idle: 600 } as const;

/** All but the tokens of the first three callers belonged to a super admin. */
export async function makeTokensWithoutSession(app: TestApp, now: number) {
  const { root, database } = app;
  const real = root.token ?? "";
  const setSession = ({ id }: Account, column: string, time: number) =>
    database.query(`update sessions set ${column} = $2 where user_id = $1`, [id, time]);

  /** The token of a new super admin whose session ends in this way. */
  async function endedBy(
    caller: WithoutSession,
    end: (own: Account) => Promise<unknown>,
  ): Promise<string | null> {
    const own = await app.account("super_admin", { username: caller });
    await end(own);
    return own.token;
  }

  const tokens: Readonly<Record<WithoutSession, string | null>> = {
    nobody: null,
    forger: `${real.slice(0, -1)}${real.endsWith("A") ? "E" : "A"}`,
    mangler: `${real} or 1=1`,
    signedOut: await endedBy("signedOut", (own) => own.post("/api/auth/logout")),
    refreshed: await endedBy("refreshed", (own) => own.post("/api/auth/refresh")),
    expired: await endedBy("expired", (own) => setSession(own, "expires_at", now)),
    idle: await endedBy("idle", (own) => setSession(own, "last_used_at", now - SESSION.idle)),
    disabled: await endedBy("disabled", ({ id }) =>
      root.put(`/api/users/${id}`, { isActive: false }),
    ),
    deleted: await endedBy("deleted", ({ id }) => root.delete(`/api/users/${id}`)),
    reset: await endedBy("reset", ({ id }) => root.post(`/api/users/${id}/reset-password`)),
    changed: await endedBy("changed", async ({ username }) => {
      const another = await app.signIn(username);
      return another.put("/api/auth/password", PASSWORD_CHANGE);
    }),
  };
  return tokens;
}
