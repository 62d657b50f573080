import { createHash, randomBytes } from "node:crypto";
import { LockMode, type SqlEntityManager } from "@mikro-orm/postgresql";
import { v7 as newId } from "uuid";
import { MAX_CLOCK_SKEW_SECONDS } from "../../platform/clock.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import type { Deps } from "../../platform/deps.ts";
import { AppError } from "../../platform/errors.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import type { CallDeps } from "../../platform/trpc/trpc.ts";
import { UserEntity } from "../users/entity.ts";
import { SessionEntity } from "./entity.ts";

const MAX_SESSIONS_PER_USER = 20;
const USER_AGENT_MAX = 200;

export type SessionDeps = Pick<Deps, "em" | "clock" | "sessionLimits">;

/** Opens or renews a session of the one who calls. */
export type SessionCallDeps = SessionDeps & Pick<CallDeps, "actor">;

export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

/** Without salt or work factor: 256 random bits cannot be guessed. */
export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

export function sessionFields(token: string, { ip, userAgent }: CallDeps["actor"], now: number) {
  const shortened = userAgent.slice(0, USER_AGENT_MAX).toWellFormed();
  return { tokenHash: hashToken(token), lastUsedAt: now, ip, userAgent: shortened };
}

/** Sessions `s` before their idle and their absolute end, whose user `u` is active. */
export function selectLive({ em, clock, sessionLimits }: SessionDeps) {
  const now = clock.now();
  return kyselyOf(em)
    .selectFrom("sessions as s")
    .innerJoin("users as u", "u.id", "s.user")
    .where("s.expiresAt", ">", now)
    .where("s.lastUsedAt", ">", now - sessionLimits.idle)
    .where("u.isActive", "=", true);
}

/** Inside a transaction that has locked the user. `endedIds`: the user's oldest sessions, which ended to keep the limit. */
export async function createSession(deps: SessionCallDeps, userId: string) {
  const { em, clock, sessionLimits, actor } = deps;
  const now = clock.now();
  const token = newToken();
  const id = newId();
  const times = { createdAt: now, expiresAt: now + sessionLimits.ttl };
  await em.insert(SessionEntity, {
    id,
    user: userId,
    ...times,
    ...sessionFields(token, actor, now),
  });
  // The new one is not among those that may end, whatever a clock that was ahead has stored for the others.
  const surplus = await selectLive(deps)
    .select("s.id")
    .where("s.user", "=", userId)
    .where("s.id", "!=", id)
    .orderBy("s.createdAt", "desc")
    .orderBy("s.id", "desc")
    .offset(MAX_SESSIONS_PER_USER - 1)
    .execute();
  const endedIds = surplus.map(({ id }) => id);
  if (endedIds.length > 0) await em.nativeDelete(SessionEntity, { id: endedIds });
  return { userId, token, endedIds };
}

/**
 * Starts sessions anew that were opened or used while the clock was ahead, all or one of them. Nobody
 * knows when that really was. They count as opened or used now, so that both of their limits hold from
 * now on, and nobody is signed out because a clock was mended.
 */
export async function restartFutureSessions(
  { em, clock, sessionLimits }: SessionDeps,
  id?: string,
): Promise<void> {
  const now = clock.now();
  const latest = now + MAX_CLOCK_SKEW_SECONDS;
  const which = id === undefined ? {} : { id };
  const opened = { createdAt: now, lastUsedAt: now, expiresAt: now + sessionLimits.ttl };
  await em.nativeUpdate(SessionEntity, { ...which, createdAt: { $gt: latest } }, opened);
  await em.nativeUpdate(
    SessionEntity,
    { ...which, lastUsedAt: { $gt: latest } },
    { lastUsedAt: now },
  );
}

/** Inside a transaction that has locked the user. After the commit the caller emits `sessions.ended`. */
export async function endSessions(
  em: SqlEntityManager,
  userId: string,
  exceptSessionId?: string,
): Promise<void> {
  const others = exceptSessionId === undefined ? {} : { id: { $ne: exceptSessionId } };
  await em.nativeDelete(SessionEntity, { user: userId, ...others });
}

/** Changes that end the user's sessions come before or after. Throws UNAUTHENTICATED when one has ended the caller's own. */
export async function lockOwnUser(em: SqlEntityManager, { id, sessionId }: Caller): Promise<void> {
  const user = await em.findOne(
    UserEntity,
    { id, isActive: true },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  );
  const isAlive = (await em.count(SessionEntity, { id: sessionId })) > 0;
  if (user === null || !isAlive) throw new AppError("UNAUTHENTICATED");
}
