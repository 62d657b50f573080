import type { SqlEntityManager } from "@mikro-orm/postgresql";

export interface EndedSessions {
  readonly userId: string;
  /** The one that goes on. */
  readonly exceptSessionId?: string;
}

/**
 * Ends sessions inside the transaction of the change that demands it, after the user's row was written there: a sign-in or
 * refresh under way waits for that row and then finds that it may not go on. After the commit the caller emits the notice
 * `sessions.ended`.
 */
export async function endSessions(em: SqlEntityManager, { userId, exceptSessionId }: EndedSessions): Promise<void> {
  if (exceptSessionId === undefined) await em.execute("delete from sessions where user_id = ?", [userId]);
  else await em.execute("delete from sessions where user_id = ? and id <> ?", [userId, exceptSessionId]);
}

/** Forgets the failed sign-ins of an account, when its password is set anew or its name becomes free. */
export async function forgetSignInFailures(em: SqlEntityManager, username: string): Promise<void> {
  await em.execute("delete from login_failures where account_key = ?", [username.toLowerCase()]);
}
