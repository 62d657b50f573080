import { sql } from "kysely";
import type { EndedSessions, OwnSession } from "../../shared/auth.ts";
import type { Nothing } from "../../shared/ids.ts";
import type { Deps } from "../core/deps.ts";
import { AppError } from "../core/errors.ts";
import type { Caller } from "../core/ports.ts";
import { inTransaction } from "../database/transaction.ts";
import type { UserTables } from "../users/entity.ts";
import type { AuthTables } from "./entity.ts";
import { isAlive } from "./is-alive.ts";
import { assertNotEnded } from "./sessions.ts";

const MAX_LISTED = 100;

type LifeDeps = Pick<Deps, "em" | "clock" | "sessionLimits">;

/** The present one first, then by last use. */
export async function listOwnSessions(deps: LifeDeps, caller: Caller): Promise<OwnSession[]> {
  const rows = await deps.em
    .getKysely<AuthTables>()
    .selectFrom("sessions as s")
    .select(["s.id", "s.created_at as createdAt", "s.last_used_at as lastSeenAt", "s.expires_at as expiresAt"])
    .select(["s.ip", "s.user_agent as userAgent"])
    .where("s.user_id", "=", caller.id)
    .where(isAlive(deps, deps.clock.now()))
    .orderBy(sql`s.id = ${caller.sessionId}::uuid`, "desc")
    .orderBy("s.last_used_at", "desc")
    .orderBy("s.id", "desc")
    .limit(MAX_LISTED)
    .execute();
  return rows.map((row) => ({ ...row, isCurrent: row.id === caller.sessionId }));
}

/** Someone else's, a dead one and none at all are the same NOT_FOUND; the caller's own present one is a STATE_CONFLICT. */
export async function endOwnSession(
  deps: LifeDeps & Pick<Deps, "bus">,
  caller: Caller,
  { id }: { readonly id: string },
): Promise<Nothing> {
  if (id === caller.sessionId) throw new AppError("STATE_CONFLICT", "这是当前会话，请使用“退出登录”");
  const ended = await deps.em
    .getKysely<AuthTables>()
    .deleteFrom("sessions as s")
    .where("s.id", "=", id)
    .where("s.user_id", "=", caller.id)
    .where(isAlive(deps, deps.clock.now()))
    .returning("s.id")
    .executeTakeFirst();
  if (ended === undefined) throw new AppError("NOT_FOUND", "登录会话不存在或已失效");
  deps.bus.emit("sessions.ended", { sessionId: id });
  return {};
}

/**
 * Ends every session of the caller but the present one. A refresh of another one that is under way cannot get past it, and of
 * two sessions that end each other one stays: the loser is UNAUTHENTICATED.
 */
export async function endOtherSessions(
  deps: LifeDeps & Pick<Deps, "bus">,
  { id: userId, sessionId }: Caller,
): Promise<EndedSessions> {
  const ended = await inTransaction(deps, async (em) => {
    // Sign-ins and refreshes under way hold this row; what they open is seen by the statement after it.
    const db = em.getKysely<AuthTables & UserTables>();
    await db.selectFrom("users").select("id").where("id", "=", userId).forUpdate().execute();
    await assertNotEnded(em, { sessionId });
    const rows = await db
      .deleteFrom("sessions as s")
      .where("s.user_id", "=", userId)
      .where("s.id", "<>", sessionId)
      .returning(isAlive(deps, deps.clock.now()).as("wasAlive"))
      .execute();
    return rows.filter(({ wasAlive }) => wasAlive).length;
  });
  deps.bus.emit("sessions.ended", { userId, exceptSessionId: sessionId });
  return { ended };
}
