import type { Deps } from "../core/deps.ts";
import { LoginFailureEntity, SessionEntity } from "./entity.ts";
import { forgetOldAddresses } from "./known-addresses.ts";
import { LONGEST_WINDOW } from "./login-limit.ts";

/** Deletes dead sessions, failed sign-ins that count no more, and addresses that are known no more. */
export async function removeDeadSignIns(deps: Pick<Deps, "em" | "clock" | "sessionLimits">): Promise<void> {
  const { em, clock, sessionLimits } = deps;
  const now = clock.now();
  const isDead = { $or: [{ expiresAt: { $lte: now } }, { lastUsedAt: { $lte: now - sessionLimits.idle } }] };
  await em.nativeDelete(SessionEntity, isDead);
  await em.nativeDelete(LoginFailureEntity, { windowStartedAt: { $lte: now - LONGEST_WINDOW } });
  await forgetOldAddresses(deps);
}
