import type { Kysely } from "kysely";
import { isFromFuture, MAX_CLOCK_SKEW_SECONDS } from "../../platform/clock.ts";
import { kyselyOf, type Tables } from "../../platform/database/kysely.ts";
import { prepared } from "../../platform/database/prepared.ts";
import { anyOf } from "../../platform/database/sql.ts";
import type { Deps } from "../../platform/deps.ts";
import type { Caller, Credentials } from "../../platform/trpc/caller.ts";
import { lacksSecondFactor } from "../users/access.ts";
import { isApiToken } from "./api-token-format.ts";
import { CALLER_FIELDS } from "./caller-fields.ts";
import type { SessionDeps } from "./deps.ts";
import { SessionEntity } from "./entity.ts";
import { findLiveTokenCallers, findTokenCaller } from "./find-token-caller.ts";
import { goOnUnlessLost } from "./go-on-unless-lost.ts";
import {
  hashToken,
  type LiveTimes,
  liveTimes,
  restartFutureSessions,
  selectLiveSessions,
} from "./sessions.ts";

const TOUCH_EVERY_SECONDS = 60;

type CallerDeps = SessionDeps & Pick<Deps, "databaseClock" | "log">;

interface CallerValues extends LiveTimes {
  readonly tokenHash: Buffer;
}

const readCaller = prepared((db, { tokenHash, ...times }: CallerValues) =>
  selectCallers(db, times)
    .select(["s.lastUsedAt", "s.createdAt"])
    .where("s.tokenHash", "=", tokenHash),
);

/**
 * Null when the session or API token is missing or dead, or the token is not for this address.
 * Counts as use of it.
 */
export async function findCaller(
  deps: CallerDeps,
  credentials: Credentials,
): Promise<Caller | null> {
  const { token } = credentials;
  return isApiToken(token)
    ? await findTokenCaller(deps, credentials)
    : await findSessionCaller(deps, token);
}

async function findSessionCaller(deps: CallerDeps, token: string): Promise<Caller | null> {
  const tokenHash = hashToken(token);
  const [found] = await readCaller(deps.em, { tokenHash, ...liveTimes(deps) });
  if (found === undefined) return null;

  const { lastUsedAt, createdAt, ...caller } = found;
  if (isFromFuture(Math.max(lastUsedAt, createdAt), deps.clock.now())) {
    await restartFutureSession(deps, caller.credentialId).catch(goOnUnlessLost);
  }
  await touchSession(deps, { id: caller.credentialId, lastUsedAt });
  return { ...caller, token: null };
}

/** The callers of those of these sessions and API tokens that live, by id. Does not count as use. */
export async function findLiveSessions(
  deps: SessionDeps,
  ids: readonly string[],
): Promise<Map<string, Caller>> {
  if (ids.length === 0) return new Map();

  const found = await selectCallers(kyselyOf(deps.em), liveTimes(deps))
    .where("s.id", "=", anyOf(ids))
    .execute();
  const callers = new Map<string, Caller>();
  for (const caller of found) callers.set(caller.credentialId, { ...caller, token: null });

  // What is no live session may be an API token. Usually nothing is left to ask for.
  const others = ids.filter((id) => !callers.has(id));
  for (const caller of await findLiveTokenCallers(deps, others)) {
    callers.set(caller.credentialId, caller);
  }
  return callers;
}

function selectCallers(db: Kysely<Tables>, times: LiveTimes) {
  return selectLiveSessions(db, times)
    .select(CALLER_FIELDS)
    .select((eb) => ["s.id as credentialId", lacksSecondFactor(eb).as("lacksSecondFactor")]);
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
