import { sql } from "kysely";
import { isFromFuture } from "../../platform/clock.ts";
import { anyOf } from "../../platform/database/sql.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { SessionEntity } from "./entity.ts";
import { hashToken, restartFutureSessions, type SessionDeps, selectLive } from "./sessions.ts";

const TOUCH_EVERY_SECONDS = 60;

/** Plain SQL: runs before every call, and the query builder would cost more than the query. */
export async function findCaller(deps: SessionDeps, token: string): Promise<Caller | null> {
  const { em, clock, sessionLimits } = deps;
  const now = clock.now();
  const { rows } = await sql<Caller & { readonly lastUsedAt: number; readonly createdAt: number }>`
    select u.id, s.id as "sessionId", u.username, u.name, u.role, u.must_change_password as "mustChangePassword",
      s.last_used_at as "lastUsedAt", s.created_at as "createdAt"
    from sessions s join users u on u.id = s.user_id
    where s.token_hash = ${hashToken(token)} and s.expires_at > ${now} and s.last_used_at > ${now - sessionLimits.idle}
      and u.is_active
  `.execute(em.getKysely());
  const [found] = rows;
  if (found === undefined) return null;
  const { lastUsedAt, createdAt, ...caller } = found;
  if (isFromFuture(Math.max(lastUsedAt, createdAt), now)) {
    await restartFutureSessions(deps, caller.sessionId).catch(() => undefined);
  }
  const touchEvery = Math.min(TOUCH_EVERY_SECONDS, Math.floor(sessionLimits.idle / 4));
  if (lastUsedAt <= now - touchEvery) {
    const unused = { id: caller.sessionId, lastUsedAt: { $lt: now } };
    // A call does not fail because its time could not be written; the next one writes it.
    await em.nativeUpdate(SessionEntity, unused, { lastUsedAt: now }).catch(() => undefined);
  }
  return caller;
}

export async function findLiveSessions(
  deps: SessionDeps,
  ids: readonly string[],
): Promise<Map<string, Caller>> {
  if (ids.length === 0) return new Map();
  const callers = await selectLive(deps)
    .select(["u.id", "s.id as sessionId", "u.username", "u.name", "u.role", "u.mustChangePassword"])
    .where("s.id", "=", anyOf(ids))
    .execute();
  return new Map(callers.map((caller) => [caller.sessionId, caller]));
}
