import type { Caller } from "../core/ports.ts";
import { SessionEntity } from "./entity.ts";
import { hashToken, type SessionDeps, selectLive } from "./sessions.ts";

/** Use of a session is written at most this often, in seconds. */
const TOUCH_EVERY = 60;
const CALLER = ["u.id", "s.id as sessionId", "u.username", "u.name", "u.role", "u.mustChangePassword"] as const;

export async function findCaller(deps: SessionDeps, token: string): Promise<Caller | null> {
  const session = selectLive(deps).where("s.tokenHash", "=", hashToken(token));
  const found = await session.select([...CALLER, "s.lastUsedAt"]).executeTakeFirst();
  if (found === undefined) return null;
  const { lastUsedAt, ...caller } = found;
  const now = deps.clock.now();
  const touchEvery = Math.min(TOUCH_EVERY, Math.floor(deps.sessionLimits.idle / 4));
  if (lastUsedAt <= now - touchEvery) {
    const unused = { id: caller.sessionId, lastUsedAt: { $lt: now } };
    // A call does not fail because its time could not be written; the next one writes it.
    await deps.em.nativeUpdate(SessionEntity, unused, { lastUsedAt: now }).catch(() => undefined);
  }
  return caller;
}

export async function findLiveSessions(deps: SessionDeps, ids: readonly string[]): Promise<Map<string, Caller>> {
  if (ids.length === 0) return new Map();
  const callers = await selectLive(deps).select(CALLER).where("s.id", "in", ids).execute();
  return new Map(callers.map((caller) => [caller.sessionId, caller]));
}
