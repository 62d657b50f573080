import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { SignIn } from "../../shared/auth.ts";
import type { Deps } from "../core/deps.ts";
import { AppError } from "../core/errors.ts";
import { newId } from "../core/ids.ts";
import type { Caller } from "../core/ports.ts";
import { inTransaction } from "../database/transaction.ts";
import type { UserTables } from "../users/entity.ts";
import type { AuthTables } from "./entity.ts";
import { type CallOrigin, storedOrigin } from "./sessions.ts";
import { signedInUser } from "./sign-in.ts";
import { hashToken, newToken } from "./token.ts";

/**
 * Replaces the caller's session by a new one with a new token. The sign-in's absolute end stays where it was. Of several at
 * once one wins; the others are UNAUTHENTICATED, because their token is dead by then.
 */
export async function refresh(
  deps: Pick<Deps, "em" | "bus" | "clock">,
  caller: Caller,
  origin: CallOrigin,
): Promise<SignIn> {
  const token = newToken();
  const now = deps.clock.now();
  await inTransaction(deps, async (em) => {
    await lockActiveUser(em, caller.id);
    const db = em.getKysely<AuthTables>();
    const old = await db.deleteFrom("sessions").where("id", "=", caller.sessionId).returningAll().executeTakeFirst();
    if (old === undefined) throw new AppError("UNAUTHENTICATED");
    // A new id as well: whatever was opened with the old token is closed by it.
    const session = { ...old, ...storedOrigin(origin), id: newId(), token_hash: hashToken(token), last_used_at: now };
    await db.insertInto("sessions").values(session).execute();
  });
  deps.bus.emit("sessions.ended", { sessionId: caller.sessionId });
  return { token, user: await signedInUser(deps, caller.id) };
}

/** Waits for a change under way that ends the user's sessions, so that it cannot miss the new one. */
async function lockActiveUser(em: SqlEntityManager, userId: string): Promise<void> {
  const user = await em
    .getKysely<UserTables>()
    .selectFrom("users")
    .select("id")
    .where("id", "=", userId)
    .where("is_active", "=", true)
    .forShare()
    .executeTakeFirst();
  if (user === undefined) throw new AppError("UNAUTHENTICATED");
}
