import { PASSWORD } from "../harness/app.ts";
import type { TestClock } from "../harness/clocks.ts";
import { assertOk, type RestClient } from "../harness/rest.ts";

/** Callers with a live session, by the columns of the table. */
export const LIVE = {
  operator: "a super admin",
  admin: "the client's admin",
  otherAdmin: "another admin",
  owner: "the client",
  sibling: "a client of the same admin",
  stranger: "a client of another admin",
} as const;
export type Live = keyof typeof LIVE;

/** Callers without a valid session. All but the first were super admins. */
export const DEAD = {
  nobody: "a caller without a token",
  forger: "a caller with a forged token",
  mangler: "a caller with a malformed token",
  signedOut: "a caller who has signed out",
  refreshed: "a caller with the token from before a refresh",
  expired: "a caller whose session passed its absolute timeout",
  idle: "a caller whose session passed its idle timeout",
  disabled: "a disabled user",
  deleted: "a deleted user",
  reset: "a user whose password was reset",
  changed: "a user who changed the password in another session",
} as const;
export type Dead = keyof typeof DEAD;

export const LIVE_NAMES: readonly Live[] = ["operator", "admin", "otherAdmin", "owner", "sibling", "stranger"];
export const DEAD_NAMES: readonly Dead[] = [
  "nobody",
  "forger",
  "mangler",
  "signedOut",
  "refreshed",
  "expired",
  "idle",
  "disabled",
  "deleted",
  "reset",
  "changed",
];

/** Session lifetimes of the server under test, in seconds. */
export const SESSION = { ttl: 3600, idle: 600 } as const;

export interface Setup {
  readonly clock: TestClock;
  /** Creates a super admin without signing in. */
  superAdmin(username: string): Promise<void>;
  signIn(username: string): Promise<RestClient & { readonly id: string }>;
}

type Token = string | null;

/** Creates two expired sessions; runs first, because it moves the clock. */
export async function expiredTokens({
  clock,
  superAdmin,
  signIn,
}: Setup): Promise<Pick<Record<Dead, Token>, "expired" | "idle">> {
  await superAdmin("expired");
  await superAdmin("idle");
  const expired = await signIn("expired");
  const use = async (after: number) => {
    clock.forward(after);
    await expired.get("/api/auth/me");
  };
  const step = SESSION.idle - 100;
  for (let age = 0; age < SESSION.ttl - SESSION.idle; age += step) await use(step);
  const idle = await signIn("idle");
  await use(step);
  // Now one session is past its absolute timeout and the other past its idle timeout.
  clock.forward(SESSION.idle - step + 1);
  return { expired: expired.token, idle: idle.token };
}

/** The remaining tokens, each ended through the API. */
export async function endedTokens({
  superAdmin,
  signIn,
}: Setup): Promise<Omit<Record<Dead, Token>, "expired" | "idle">> {
  const root = await signIn("root");
  const make = async (username: string) => {
    await superAdmin(username);
    return await signIn(username);
  };
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
    disabled: disabled.token,
    deleted: deleted.token,
    reset: reset.token,
    changed: changed.token,
  };
}
