import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { Deps } from "../core/deps.ts";
import type { FindCaller } from "../core/ports.ts";
import type { UserTables } from "../users/entity.ts";
import type { AuthTables } from "./entity.ts";
import { hashToken } from "./token.ts";

/** Use of a session is written down at most this often, in seconds. */
const TOUCH_EVERY = 60;

/** Reads the session and its user in one statement, for every call anew: role, activity and the rest are never remembered. */
export function createFindCaller({ clock, sessionLimits }: Pick<Deps, "clock" | "sessionLimits">): FindCaller {
  // With a short idle limit a coarse record would end sessions that are in use.
  const touchEvery = Math.min(TOUCH_EVERY, Math.floor(sessionLimits.idle / 4));
  return async (em, token) => {
    const now = clock.now();
    const row = await em
      .getKysely<AuthTables & UserTables>()
      .selectFrom("sessions as s")
      .innerJoin("users as u", "u.id", "s.user_id")
      .select(["u.id", "s.id as session_id", "u.username", "u.name", "u.role", "u.must_change_password"])
      .select("s.last_used_at")
      .where("s.token_hash", "=", hashToken(token))
      .where("s.expires_at", ">", now)
      .where("s.last_used_at", ">", now - sessionLimits.idle)
      .where("u.is_active", "=", true)
      .executeTakeFirst();
    if (row === undefined) return null;
    if (row.last_used_at <= now - touchEvery) await touch(em, row.session_id, now);
    const { id, session_id: sessionId, username, name, role, must_change_password: mustChangePassword } = row;
    return { id, sessionId, username, name, role, mustChangePassword };
  };
}

/** A call does not fail because its time could not be noted; the next one notes it. */
async function touch(em: SqlEntityManager, sessionId: string, now: number): Promise<void> {
  await em
    .getKysely<AuthTables>()
    .updateTable("sessions")
    .set({ last_used_at: now })
    .where("id", "=", sessionId)
    .where("last_used_at", "<", now)
    .execute()
    .catch(() => undefined);
}
