import { v7 as newId } from "uuid";
import type { EndedSessions, OwnSession, SignIn } from "../../../shared/auth.ts";
import type { Nothing } from "../../../shared/ids.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { signedInUser } from "../users/queries.ts";
import type { AuthDeps, SessionDeps } from "./deps.ts";
import { SessionEntity } from "./entity.ts";
import {
  endSessions,
  liveTimes,
  lockOwnUser,
  newToken,
  selectLiveSessions,
  sessionFields,
} from "./sessions.ts";

/**
 * The new id closes what was opened with the old one. Of several refreshes at once one succeeds,
 * the others throw UNAUTHENTICATED.
 */
export async function refreshSession(deps: AuthDeps, caller: Caller): Promise<SignIn> {
  const { sessionId } = caller;
  const token = newToken();
  // All of the answer is read before the commit: sockets of the old session close 300 ms after it.
  const user = await inTransaction(deps, async (em) => {
    await lockOwnUser(em, caller);
    const renewed = { id: newId(), ...sessionFields(token, deps.actor, deps.clock.now()) };
    const written = await em.nativeUpdate(SessionEntity, { id: sessionId }, renewed);
    if (written === 0) throw new AppError("UNAUTHENTICATED");
    return await signedInUser({ em }, caller);
  });
  deps.bus.emit("sessions.ended", { sessionId });
  return { token, user };
}

export async function signOut(deps: AuthDeps, { sessionId }: Caller): Promise<Nothing> {
  await inTransaction(deps, (em) => em.nativeDelete(SessionEntity, { id: sessionId }));
  deps.bus.emit("sessions.ended", { sessionId });
  return {};
}

export async function listOwnSessions(
  deps: SessionDeps,
  { id, sessionId }: Caller,
): Promise<OwnSession[]> {
  const sessions = await selectLiveSessions(kyselyOf(deps.em), liveTimes(deps))
    .select([
      "s.id",
      "s.createdAt",
      "s.lastUsedAt as lastSeenAt",
      "s.expiresAt",
      "s.ip",
      "s.userAgent",
    ])
    .where("s.user", "=", id)
    .orderBy((eb) => eb("s.id", "=", sessionId), "desc")
    .orderBy("s.lastUsedAt", "desc")
    .orderBy("s.id", "desc")
    .execute();
  return sessions.map((session) => ({ ...session, isCurrent: session.id === sessionId }));
}

/** NOT_FOUND for a session that is dead or another user's; STATE_CONFLICT for the current one. */
export async function endOwnSession(
  deps: AuthDeps,
  caller: Caller,
  { id }: { readonly id: string },
): Promise<Nothing> {
  if (id === caller.sessionId) {
    throw new AppError("STATE_CONFLICT", "这是当前会话，请使用“退出登录”");
  }

  const { numDeletedRows } = await inTransaction(deps, async (em) => {
    const db = kyselyOf(em);
    const own = selectLiveSessions(db, liveTimes(deps))
      .select("s.id")
      .where("s.id", "=", id)
      .where("s.user", "=", caller.id);
    return await db.deleteFrom("sessions").where("id", "in", own).executeTakeFirst();
  });
  if (numDeletedRows === 0n) throw new AppError("NOT_FOUND", "登录会话不存在或已失效");
  deps.bus.emit("sessions.ended", { sessionId: id });
  return {};
}

/**
 * Ends every session of the caller but the current one. Of two sessions that end each other one
 * stays.
 */
export async function endOtherSessions(deps: AuthDeps, caller: Caller): Promise<EndedSessions> {
  const ended = await inTransaction(deps, async (em) => {
    await lockOwnUser(em, caller);
    const sessions = await listOwnSessions({ ...deps, em }, caller);
    await endSessions(em, caller.id, caller.sessionId);
    return sessions.length - 1;
  });
  deps.bus.emit("sessions.ended", { userId: caller.id, exceptSessionId: caller.sessionId });
  return { ended };
}
