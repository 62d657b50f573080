import type { SignIn } from "../../shared/auth.ts";
import type { Deps } from "../core/deps.ts";
import { AppError } from "../core/errors.ts";
import { newId } from "../core/ids.ts";
import type { Caller } from "../core/ports.ts";
import { inTransaction } from "../database/transaction.ts";
import { SessionEntity } from "./entity.ts";
import { currentUser } from "./own-sessions.ts";
import { type CallOrigin, lockOwnUser, newToken, sessionFields } from "./sessions.ts";

/** The new id closes what was opened with the old one. Of several refreshes at once one succeeds, the others throw UNAUTHENTICATED. */
export async function refresh(
  deps: Pick<Deps, "em" | "bus" | "clock">,
  caller: Caller,
  origin: CallOrigin,
): Promise<SignIn> {
  const { sessionId } = caller;
  const token = newToken();
  await inTransaction(deps, async (em) => {
    await lockOwnUser(em, caller);
    const renewed = { id: newId(), ...sessionFields(token, origin, deps.clock.now()) };
    const written = await em.nativeUpdate(SessionEntity, { id: sessionId }, renewed);
    if (written === 0) throw new AppError("UNAUTHENTICATED");
  });
  deps.bus.emit("sessions.ended", { sessionId });
  return { token, user: await currentUser(deps, caller) };
}
