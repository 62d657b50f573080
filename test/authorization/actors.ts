/** Who has a session that lives, as the table's columns name them. */
export const LIVE = {
  operator: "a super admin",
  admin: "the client's admin",
  otherAdmin: "another admin",
  owner: "the client",
  sibling: "a client of the same admin",
  stranger: "a client of another admin",
} as const;
export type Live = keyof typeof LIVE;

/** Who has none, or none any more. All but the first were super admins, who could do the most if they were let in. */
export const DEAD = {
  nobody: "whoever sends no token",
  forger: "whoever sends a forged token",
  mangler: "whoever sends a malformed token",
  signedOut: "whoever has signed out",
  refreshed: "whoever keeps the token from before a refresh",
  expired: "whoever has been signed in for too long",
  idle: "whoever has done nothing for too long",
  disabled: "a disabled user",
  deleted: "a deleted user",
  reset: "a user whose password was reset",
  changed: "a user who has changed the password elsewhere",
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
