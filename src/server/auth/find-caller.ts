import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Caller } from "../core/ports.ts";
import { SessionEntity } from "./entity.ts";
import { hashToken, type SessionDeps } from "./sessions.ts";

/** Use of a session is written at most this often, in seconds. */
const TOUCH_EVERY = 60;

/** The caller behind a bearer token, null when its session is missing or dead. Read from the database for every call. */
export async function findCaller(deps: SessionDeps, token: string): Promise<Caller | null> {
  const [found] = await readCallers(deps, sql`s.token_hash = ${hashToken(token)}`);
  if (found === undefined) return null;
  const { lastUsedAt, ...caller } = found;
  const now = deps.clock.now();
  // A short idle limit needs a finer record.
  const touchEvery = Math.min(TOUCH_EVERY, Math.floor(deps.sessionLimits.idle / 4));
  if (lastUsedAt <= now - touchEvery) await touch(deps.em, caller.sessionId, now);
  return caller;
}

/** The callers of those sessions that are alive, by session id, in one statement. Does not count as use. */
export async function findLiveSessions(
  deps: SessionDeps,
  sessionIds: readonly string[],
): Promise<ReadonlyMap<string, Caller>> {
  if (sessionIds.length === 0) return new Map();
  const found = await readCallers(deps, sql`s.id = any(${sessionIds}::uuid[])`);
  return new Map(found.map(({ lastUsedAt: _, ...caller }) => [caller.sessionId, caller]));
}

/** Sessions `s` of active users `u`. Written as SQL: every call runs it, and the builder takes longer than PostgreSQL. */
async function readCallers({ em, clock, sessionLimits }: SessionDeps, which: RawBuilder<SqlBool>) {
  const now = clock.now();
  const { rows } = await sql<Caller & { readonly lastUsedAt: number }>`
    select u.id, s.id as "sessionId", u.username, u.name, u.role, u.must_change_password as "mustChangePassword",
      s.last_used_at as "lastUsedAt"
    from sessions s join users u on u.id = s.user_id
    where ${which} and s.expires_at > ${now} and s.last_used_at > ${now - sessionLimits.idle} and u.is_active
  `.execute(em.getKysely());
  return rows;
}

/** A call does not fail because its time could not be written; the next one writes it. */
async function touch(em: SqlEntityManager, id: string, now: number): Promise<void> {
  await em.nativeUpdate(SessionEntity, { id, lastUsedAt: { $lt: now } }, { lastUsedAt: now }).catch(() => undefined);
}
