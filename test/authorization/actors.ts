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
