import type { Kysely } from "kysely";
import { isFromFuture, MAX_CLOCK_SKEW_SECONDS } from "../../platform/clock.ts";
import { isConnectionLost } from "../../platform/database/errors.ts";
import { kyselyOf, type Tables } from "../../platform/database/kysely.ts";
import { prepared } from "../../platform/database/prepared.ts";
import { anyOf } from "../../platform/database/sql.ts";
import type { Deps } from "../../platform/deps.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import type { SessionDeps } from "./deps.ts";
import { SessionEntity } from "./entity.ts";
import {
  hashToken,
  type LiveTimes,
  liveTimes,
  restartFutureSessions,
  selectLiveSessions,
} from "./sessions.ts";

const TOUCH_EVERY_SECONDS = 60;

type CallerDeps = SessionDeps & Pick<Deps, "databaseClock">;

interface CallerValues extends LiveTimes {
  readonly tokenHash: Buffer;
}

const readCaller = prepared((db, { tokenHash, ...times }: CallerValues) =>
  selectCallers(db, times)
    .select(["s.lastUsedAt", "s.createdAt"])
    .where("s.tokenHash", "=", tokenHash),
);

/** Null when the session of the token is missing or dead. Counts as use of the session. */
export async function findCaller(deps: CallerDeps, token: string): Promise<Caller | null> {
  const tokenHash = hashToken(token);
  const [found] = await readCaller(deps.em, { tokenHash, ...liveTimes(deps) });
  if (found === undefined) return null;

  const { lastUsedAt, createdAt, ...caller } = found;
  if (isFromFuture(Math.max(lastUsedAt, createdAt), deps.clock.now())) {
    await restartFutureSession(deps, caller.sessionId).catch(goOnUnlessLost);
  }
  await touchSession(deps, { id: caller.sessionId, lastUsedAt });
  return caller;
}

/** The callers of the live ones of these sessions, by session id. Does not count as use. */
export async function findLiveSessions(
  deps: SessionDeps,
  ids: readonly string[],
): Promise<Map<string, Caller>> {
  if (ids.length === 0) return new Map();

  const callers = await selectCallers(kyselyOf(deps.em), liveTimes(deps))
    .where("s.id", "=", anyOf(ids))
    .execute();
  return new Map(callers.map((caller) => [caller.sessionId, caller]));
}

function selectCallers(db: Kysely<Tables>, times: LiveTimes) {
  return selectLiveSessions(db, times).select([
    "u.id",
    "s.id as sessionId",
    "u.username",
    "u.name",
    "u.role",
    "u.mustChangePassword",
  ]);
}

/** Seen by the clock of this process it is one; the database's clock decides. */
async function restartFutureSession(deps: CallerDeps, id: string): Promise<void> {
  const present = await deps.databaseClock.now(deps.em);
  await restartFutureSessions(deps, { id, present, latest: present + MAX_CLOCK_SKEW_SECONDS });
}

/** Writes that the session is used, at most once a minute. */
async function touchSession(
  { em, clock, sessionLimits }: SessionDeps,
  { id, lastUsedAt }: { readonly id: string; readonly lastUsedAt: number },
): Promise<void> {
  const now = clock.now();
  const touchEvery = Math.min(TOUCH_EVERY_SECONDS, Math.floor(sessionLimits.idle / 4));
  if (lastUsedAt > now - touchEvery) return;

  const unused = { id, lastUsedAt: { $lt: now } };
  // A call does not fail because its time could not be written; the next one writes it.
  await em.nativeUpdate(SessionEntity, unused, { lastUsedAt: now }).catch(goOnUnlessLost);
}

/** A call that has waited in vain for the database does not wait for it a second time. */
function goOnUnlessLost(error: unknown): void {
  if (isConnectionLost(error)) throw error;
}
