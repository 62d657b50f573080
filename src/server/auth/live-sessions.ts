import type { Deps } from "../core/deps.ts";
import type { Caller, FindLiveSessions } from "../core/ports.ts";
import type { UserTables } from "../users/entity.ts";
import type { AuthTables } from "./entity.ts";

/** For whoever waits rather than calls (sockets, event streams): the same conditions as for a call, without noting a use. */
export function createFindLiveSessions({
  clock,
  sessionLimits,
}: Pick<Deps, "clock" | "sessionLimits">): FindLiveSessions {
  return async (em, sessionIds) => {
    if (sessionIds.length === 0) return new Map();
    const now = clock.now();
    const rows = await em
      .getKysely<AuthTables & UserTables>()
      .selectFrom("sessions as s")
      .innerJoin("users as u", "u.id", "s.user_id")
      .select(["u.id", "s.id as sessionId", "u.username", "u.name", "u.role"])
      .select("u.must_change_password as mustChangePassword")
      .where("s.id", "in", sessionIds)
      .where("s.expires_at", ">", now)
      .where("s.last_used_at", ">", now - sessionLimits.idle)
      .where("u.is_active", "=", true)
      .execute();
    return new Map(rows.map((row): [string, Caller] => [row.sessionId, row]));
  };
}
