import type { TestApp } from "../harness/app.ts";
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

/** Callers without a live session. The ways in which a session ends are tested in `api/sessions`. */
export const DEAD = [
  ["nobody", "a caller without a token"],
  ["forger", "a caller with a forged token"],
  ["signedOut", "a caller who has signed out"],
  ["disabled", "a disabled user"],
] as const;
export type Dead = (typeof DEAD)[number][0];

/** Session lifetimes of the server under test, in seconds. */
export const SESSION = { ttl: 3600, idle: 600 } as const;

/** The last two belonged to super admins. */
export async function makeDeadTokens({ account, root }: TestApp): Promise<Readonly<Record<Dead, string | null>>> {
  const real = root.token ?? "";
  const [signedOut, disabled] = [await account("super_admin"), await account("super_admin")];
  await assertOk(signedOut.post("/api/auth/logout"));
  await assertOk(root.put(`/api/users/${disabled.id}`, { isActive: false }));
  return {
    nobody: null,
    forger: `${real.slice(0, -1)}${real.endsWith("A") ? "E" : "A"}`,
    signedOut: signedOut.token,
    disabled: disabled.token,
  };
}
