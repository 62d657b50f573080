import { type Account, PASSWORD, type TestApp } from "../harness/app.ts";
import type { TestClock } from "../harness/clocks.ts";
import { assertOk } from "../harness/rest.ts";

/** Callers with a live session, by the columns of the table. */
export const LIVE = [
  ["operator", "a super admin"],
  ["admin", "the client's admin"],
  ["otherAdmin", "another admin"],
  ["owner", "the client"],
  ["sibling", "a client of the same admin"],
  ["stranger", "a client of another admin"],
] as const;
export type Live = (typeof LIVE)[number][0];

/** Callers without a valid session. All but the first were super admins. */
export const DEAD = [
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
export type Dead = (typeof DEAD)[number][0];

/** Session lifetimes of the server under test, in seconds. */
export const SESSION = { ttl: 3600, idle: 600 } as const;

interface Setup extends Pick<TestApp, "account" | "signIn"> {
  readonly clock: TestClock;
}

/** Ends each session through the API; runs first, because it moves the clock. */
export async function makeDeadTokens(setup: Setup): Promise<Record<Dead, string | null>> {
  const { account, signIn } = setup;
  const make = (username: string) => account("super_admin", { username });
  const expired = await make("expired");
  const idle = await letExpire(setup, expired, () => make("idle"));
  const root = await signIn("root");
  const signedOut = await make("signed_out");
  await assertOk(signedOut.post("/api/auth/logout"));
  const refreshed = await make("refreshed");
  await assertOk(refreshed.post("/api/auth/refresh"));
  const disabled = await make("disabled");
  await assertOk(root.put(`/api/users/${disabled.id}`, { isActive: false }));
  const deleted = await make("deleted");
  await assertOk(root.delete(`/api/users/${deleted.id}`));
  const reset = await make("reset");
  await assertOk(root.post(`/api/users/${reset.id}/reset-password`));
  const changed = await make("changed");
  const otherSession = await signIn("changed");
  await assertOk(otherSession.put("/api/auth/password", { currentPassword: PASSWORD, newPassword: `${PASSWORD}2` }));
  const real = root.token ?? "";
  return {
    nobody: null,
    forger: `${real.slice(0, -1)}${real.endsWith("A") ? "E" : "A"}`,
    mangler: `${real} or 1=1`,
    signedOut: signedOut.token,
    refreshed: refreshed.token,
    expired: expired.token,
    idle: idle.token,
    disabled: disabled.token,
    deleted: deleted.token,
    reset: reset.token,
    changed: changed.token,
  };
}

/** Uses one session up to its absolute timeout, and leaves another one, which it returns, unused up to its idle timeout. */
async function letExpire({ clock }: Setup, used: Account, openIdle: () => Promise<Account>): Promise<Account> {
  const step = SESSION.idle - 100;
  const use = async () => {
    clock.forward(step);
    await assertOk(used.get("/api/auth/me"));
  };
  for (let age = 0; age < SESSION.ttl - SESSION.idle; age += step) await use();
  const idle = await openIdle();
  await use();
  clock.forward(SESSION.idle - step + 1);
  return idle;
}
