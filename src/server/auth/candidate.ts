import { sql } from "kysely";
import type { Deps } from "../core/deps.ts";
import type { Account } from "../users/find-account.ts";
import { assertFew, type CountedFailures, failuresOf } from "./login-limit.ts";

type CandidateRow = CountedFailures & {
  readonly id: string | null;
  readonly username: string;
  readonly password_hash: string;
  readonly is_active: boolean;
};

/**
 * The account that somebody wants to sign in to, null when nobody has that name, and in the same statement whether the name may be
 * tried: for each sign-in asks this. `username` is null when no account can have such a name. Throws TOO_MANY_REQUESTS.
 */
export async function findCandidate(
  deps: Pick<Deps, "em" | "clock">,
  { username, key }: { readonly username: string | null; readonly key: string },
): Promise<Account | null> {
  const now = deps.clock.now();
  const { rows } = await sql<CandidateRow>`
    select u.id, u.username, u.password_hash, u.is_active, f.failures, f.window_started_at
    from (values (1)) as one
    left join users u on lower(u.username) = ${username?.toLowerCase() ?? null}::text
    left join ${failuresOf(key, now)} f on true`.execute(deps.em.getKysely());
  const [row] = rows;
  assertFew(row, now);
  if (row === undefined || row.id === null) return null;
  return { id: row.id, username: row.username, passwordHash: row.password_hash, isActive: row.is_active };
}
