import { v7 as newId } from "uuid";
import type { EndedSessions, OwnSession, SignIn } from "../../../shared/auth.ts";
import type { Nothing } from "../../../shared/ids.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { countChanges } from "../audit-records/field-changes.ts";
import { signedInUser } from "../users/queries.ts";
import type { AuthDeps, SessionDeps } from "./deps.ts";
import { SessionEntity } from "./entity.ts";
import { recordOwnAct } from "./record-own-act.ts";
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
  const { credentialId } = caller;
  const token = newToken();
  // All of the answer is read before the commit: sockets of the old session close 300 ms after it.
  const user = await inTransaction(deps, async (em) => {
    await lockOwnUser(em, caller);
    const renewed = { id: newId(), ...sessionFields(token, deps.actor, deps.clock.now()) };
    const written = await em.nativeUpdate(SessionEntity, { id: credentialId }, renewed);
    if (written === 0) throw new AppError("UNAUTHENTICATED");

    await recordOwnAct({ ...deps, em }, caller, { action: "auth.refresh" });
    return await signedInUser({ em }, caller);
  });
  deps.bus.emit("sessions.ended", { credentialId });
  return { token, user };
}

export async function signOut(deps: AuthDeps, caller: Caller): Promise<Nothing> {
  const { credentialId } = caller;
  await inTransaction(deps, async (em) => {
    await em.nativeDelete(SessionEntity, { id: credentialId });
    await recordOwnAct({ ...deps, em }, caller, { action: "auth.logout" });
  });
  deps.bus.emit("sessions.ended", { credentialId });
  return {};
}

export async function listOwnSessions(
  deps: SessionDeps,
  { id, credentialId }: Caller,
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
    .orderBy((eb) => eb("s.id", "=", credentialId), "desc")
    .orderBy("s.lastUsedAt", "desc")
    .orderBy("s.id", "desc")
    .execute();
  return sessions.map((session) => ({ ...session, isCurrent: session.id === credentialId }));
}

/** NOT_FOUND for a session that is dead or another user's; STATE_CONFLICT for the current one. */
export async function endOwnSession(
  deps: AuthDeps,
  caller: Caller,
  { id }: { readonly id: string },
): Promise<Nothing> {
  if (id === caller.credentialId) {
    throw new AppError("STATE_CONFLICT", "这是当前会话，请使用“退出登录”");
  }

  await inTransaction(deps, async (em) => {
    const db = kyselyOf(em);
    const own = selectLiveSessions(db, liveTimes(deps))
      .select("s.id")
      .where("s.id", "=", id)
      .where("s.user", "=", caller.id);
    const { numDeletedRows } = await db
      .deleteFrom("sessions")
      .where("id", "in", own)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw new AppError("NOT_FOUND", "登录会话不存在或已失效");

    await recordOwnAct({ ...deps, em }, caller, { action: "auth.endSession" });
  });
  deps.bus.emit("sessions.ended", { credentialId: id });
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
    await endSessions(em, caller.id, caller.credentialId);

    const ended = sessions.length - 1;
    const changes = countChanges({ endedSessions: ended });
    await recordOwnAct({ ...deps, em }, caller, { action: "auth.endOtherSessions", changes });
    return ended;
  });
  deps.bus.emit("sessions.ended", { userId: caller.id, exceptCredentialId: caller.credentialId });
  return { ended };
}
