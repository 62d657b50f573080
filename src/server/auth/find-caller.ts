import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import type { Role } from "../../shared/roles.ts";
import type { Deps } from "../core/deps.ts";
import type { FindCaller } from "../core/ports.ts";
import type { AuthTables } from "./entity.ts";
import { isAlive } from "./is-alive.ts";
import { hashToken } from "./token.ts";

/** Use of a session is written down at most this often, in seconds. */
const TOUCH_EVERY = 60;

interface CallerRow {
  readonly id: string;
  readonly session_id: string;
  readonly last_used_at: number;
  readonly username: string;
  readonly name: string;
  readonly role: Role;
  readonly must_change_password: boolean;
}

/** Reads the session and its user in one statement, for every call anew: role, activity and the rest are never remembered. */
export function createFindCaller({ clock, sessionLimits }: Pick<Deps, "clock" | "sessionLimits">): FindCaller {
  // With a short idle limit a coarse record would end sessions that are in use.
  const touchEvery = Math.min(TOUCH_EVERY, Math.floor(sessionLimits.idle / 4));
  return async (em, token) => {
    const now = clock.now();
    const { rows } = await sql<CallerRow>`
      select u.id, s.id as session_id, s.last_used_at, u.username, u.name, u.role, u.must_change_password
      from sessions s join users u on u.id = s.user_id
      where s.token_hash = ${hashToken(token)} and ${isAlive({ sessionLimits }, now)} and u.is_active
    `.execute(em.getKysely());
    const [row] = rows;
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
