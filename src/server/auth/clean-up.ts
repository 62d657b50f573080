import type { Deps } from "../core/deps.ts";
import { KnownAddressEntity, LoginFailureEntity, SessionEntity } from "./entity.ts";
import { KNOWN_FOR, LONGEST_WINDOW } from "./login-limit.ts";

type CleanUpDeps = Pick<Deps, "em" | "clock" | "sessionLimits">;

export async function removeDeadSignIns({ em, clock, sessionLimits }: CleanUpDeps): Promise<void> {
  const now = clock.now();
  const isDead = { $or: [{ expiresAt: { $lte: now } }, { lastUsedAt: { $lte: now - sessionLimits.idle } }] };
  await em.nativeDelete(SessionEntity, isDead);
  await em.nativeDelete(LoginFailureEntity, { windowStartedAt: { $lte: now - LONGEST_WINDOW } });
  await em.nativeDelete(KnownAddressEntity, { lastSignedInAt: { $lte: now - KNOWN_FOR } });
}
