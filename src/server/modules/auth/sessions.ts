import { createHash, randomBytes } from "node:crypto";
import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { Kysely } from "kysely";
import { v7 as newId } from "uuid";
import { kyselyOf, type Tables } from "../../platform/database/kysely.ts";
import { AppError } from "../../platform/errors.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import type { UserRow } from "../users/entity.ts";
import { lockActiveUser } from "../users/locks.ts";
import type { AuthDeps, SessionDeps } from "./deps.ts";
import { SessionEntity, SignInChallengeEntity } from "./entity.ts";

const MAX_SESSIONS_PER_USER = 20;
const USER_AGENT_MAX = 200;

export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

/** Without salt or work factor: 256 random bits cannot be guessed. */
export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

export function sessionFields(token: string, { ip, userAgent }: AuthDeps["actor"], now: number) {
  const shortened = userAgent.slice(0, USER_AGENT_MAX).toWellFormed();
  return { tokenHash: hashToken(token), lastUsedAt: now, ip, userAgent: shortened };
}

/** Both ends of sessions, in Unix seconds. */
export interface LiveTimes {
  readonly expiresAfter: number;
  readonly lastUsedAfter: number;
}

export function liveTimes({ clock, sessionLimits }: Omit<SessionDeps, "em">): LiveTimes {
  const now = clock.now();
  return { expiresAfter: now, lastUsedAfter: now - sessionLimits.idle };
}

/**
 * The one definition of a live session. Sessions `s` before their idle and their absolute end,
 * whose user `u` is active.
 */
export function selectLiveSessions(db: Kysely<Tables>, { expiresAfter, lastUsedAfter }: LiveTimes) {
  return db
    .selectFrom("sessions as s")
    .innerJoin("users as u", "u.id", "s.user")
    .where("s.expiresAt", ">", expiresAfter)
    .where("s.lastUsedAt", ">", lastUsedAfter)
    .where("u.isActive", "=", true);
}

export interface NewSession {
  readonly userId: string;
  readonly token: string;
  /** The user's oldest sessions, which ended to keep the limit. */
  readonly endedIds: readonly string[];
}

/** Inside a transaction that has locked the user. */
export async function createSession(deps: AuthDeps, userId: string): Promise<NewSession> {
  const { em, clock, sessionLimits, actor } = deps;
  const now = clock.now();
  const token = newToken();
  const id = newId();
  await em.insert(SessionEntity, {
    id,
    user: userId,
    createdAt: now,
    expiresAt: now + sessionLimits.ttl,
    ...sessionFields(token, actor, now),
  });

  const endedIds = await findSurplus(deps, { id, userId });
  if (endedIds.length > 0) await em.nativeDelete(SessionEntity, { id: endedIds });
  return { userId, token, endedIds };
}

/**
 * The oldest sessions beyond the limit. The new one is not among them, whatever a clock that was
 * ahead has stored for the others.
 */
async function findSurplus(
  deps: SessionDeps,
  { id, userId }: { readonly id: string; readonly userId: string },
): Promise<string[]> {
  const surplus = await selectLiveSessions(kyselyOf(deps.em), liveTimes(deps))
    .select("s.id")
    .where("s.user", "=", userId)
    .where("s.id", "!=", id)
    .orderBy("s.createdAt", "desc")
    .orderBy("s.id", "desc")
    .offset(MAX_SESSIONS_PER_USER - 1)
    .execute();
  return surplus.map((session) => session.id);
}

interface FutureSessions {
  /** Absent: all of them. */
  readonly id?: string;
  readonly present: number;
  /** What was opened or used later was so by a wrong clock. */
  readonly latest: number;
}

/**
 * Starts sessions anew that were opened or used while the clock was ahead. Nobody knows when that
 * really was. They count as opened or used now, so that both of their limits hold from now on, and
 * nobody is signed out because a clock was mended. Both times are those of the database's clock: a
 * process that is behind would take every session for one of the future, and end it for the others.
 */
export async function restartFutureSessions(
  { em, sessionLimits }: Pick<SessionDeps, "em" | "sessionLimits">,
  { id, present, latest }: FutureSessions,
): Promise<void> {
  const which = id === undefined ? {} : { id };
  const opened = {
    createdAt: present,
    lastUsedAt: present,
    expiresAt: present + sessionLimits.ttl,
  };
  await em.nativeUpdate(SessionEntity, { ...which, createdAt: { $gt: latest } }, opened);
  await em.nativeUpdate(
    SessionEntity,
    { ...which, lastUsedAt: { $gt: latest } },
    { lastUsedAt: present },
  );
}

/**
 * With the sign-ins that wait for a code. Inside a transaction that has locked the user. After the
 * commit the caller emits `sessions.ended`.
 */
export async function endSessions(
  em: SqlEntityManager,
  userId: string,
  exceptSessionId?: string,
): Promise<void> {
  const others = exceptSessionId === undefined ? {} : { id: { $ne: exceptSessionId } };
  await em.nativeDelete(SessionEntity, { user: userId, ...others });
  await em.nativeDelete(SignInChallengeEntity, { user: userId });
}

/**
 * Changes that end the user's sessions come before or after. Throws UNAUTHENTICATED when one has
 * ended the caller's own.
 */
export async function lockOwnUser(
  em: SqlEntityManager,
  { id, credentialId }: Caller,
): Promise<UserRow> {
  const user = await lockActiveUser(em, { id });
  const isAlive = (await em.count(SessionEntity, { id: credentialId })) > 0;
  if (user === null || !isAlive) throw new AppError("UNAUTHENTICATED");
  return user;
}
