import { sql } from "kysely";
import type { Deps } from "../core/deps.ts";
import type { Caller, FindLiveSessions } from "../core/ports.ts";
import { isAlive } from "./is-alive.ts";

/** For whoever waits rather than calls (sockets, event streams): the same conditions as for a call, without noting a use. */
export function createFindLiveSessions({
  clock,
  sessionLimits,
}: Pick<Deps, "clock" | "sessionLimits">): FindLiveSessions {
  return async (em, sessionIds) => {
    if (sessionIds.length === 0) return new Map();
    const now = clock.now();
    // Written out, for the driver takes longer to do so than the database to answer when there are a thousand.
    const ids = `{${sessionIds.join(",")}}`;
    const { rows } = await sql<Caller>`
      select u.id, s.id as "sessionId", u.username, u.name, u.role, u.must_change_password as "mustChangePassword"
      from sessions s join users u on u.id = s.user_id
      where s.id = any(${ids}::uuid[]) and ${isAlive({ sessionLimits }, now)} and u.is_active
    `.execute(em.getKysely());
    return new Map(rows.map((row) => [row.sessionId, row]));
  };
}
