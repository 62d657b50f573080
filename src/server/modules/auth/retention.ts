import { DAY_SECONDS } from "../../../shared/time.ts";
import { anyOfRows } from "../../platform/database/expressions.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import type { TransactionDeps } from "../../platform/database/transaction.ts";
import type { CleanUpTime } from "../../platform/retention/clean-up-time.ts";
import { BATCH_SIZE, deleteInBatches } from "../../platform/retention/delete-in-batches.ts";
import type { SessionDeps } from "./deps.ts";
import { KNOWN_ADDRESS_SECONDS } from "./known-addresses.ts";
import { LONGEST_WINDOW_SECONDS } from "./login-limit.ts";
import { CHALLENGE_SECONDS } from "./sign-in-challenges.ts";

// Rows that a call has locked are left for the next clean-up: it would lock them in another order.

/** Sessions that have ended. None of them is valid any more, whether it is removed or not. */
export async function removeEndedSessions(
  deps: TransactionDeps & Pick<SessionDeps, "sessionLimits">,
  { asOf }: CleanUpTime,
): Promise<number> {
  const idleSince = asOf - deps.sessionLimits.idle;
  const ended = kyselyOf(deps.em)
    .selectFrom("sessions")
    .select("id")
    .where((eb) => eb.or([eb("expiresAt", "<=", asOf), eb("lastUsedAt", "<=", idleSince)]))
    .limit(BATCH_SIZE)
    .forUpdate()
    .skipLocked();

  return await deleteInBatches(deps, (em) =>
    kyselyOf(em).deleteFrom("sessions").where("id", "=", anyOfRows(ended)),
  );
}

/** Challenges that have ended, or were opened in the future. */
export async function removeEndedChallenges(
  deps: TransactionDeps,
  { asOf, latest }: CleanUpTime,
): Promise<number> {
  const ended = kyselyOf(deps.em)
    .selectFrom("sign_in_challenges")
    .select("tokenHash")
    .where((eb) =>
      eb.or([eb("expiresAt", "<=", asOf), eb("expiresAt", ">", latest + CHALLENGE_SECONDS)]),
    )
    .limit(BATCH_SIZE)
    .forUpdate()
    .skipLocked();

  return await deleteInBatches(deps, (em) =>
    kyselyOf(em).deleteFrom("sign_in_challenges").where("tokenHash", "=", anyOfRows(ended)),
  );
}

/** So long a list of tokens shows its owner why a program gets no answer any more. */
const EXPIRED_TOKEN_SECONDS = 30 * DAY_SECONDS;

/** API tokens that expired long ago. */
export async function removeExpiredTokens(
  deps: TransactionDeps,
  { asOf }: CleanUpTime,
): Promise<number> {
  const expired = kyselyOf(deps.em)
    .selectFrom("api_tokens")
    .select("id")
    .where("expiresAt", "<=", asOf - EXPIRED_TOKEN_SECONDS)
    .limit(BATCH_SIZE)
    .forUpdate()
    .skipLocked();

  return await deleteInBatches(deps, (em) =>
    kyselyOf(em).deleteFrom("api_tokens").where("id", "=", anyOfRows(expired)),
  );
}

/** Counters whose window is over, or began in the future. */
export async function removeOldLoginFailures(
  deps: TransactionDeps,
  { asOf, latest }: CleanUpTime,
): Promise<number> {
  const isOverSince = asOf - LONGEST_WINDOW_SECONDS;
  const old = kyselyOf(deps.em)
    .selectFrom("login_failures")
    .select("key")
    .where((eb) =>
      eb.or([eb("windowStartedAt", "<=", isOverSince), eb("windowStartedAt", ">", latest)]),
    )
    .limit(BATCH_SIZE)
    .forUpdate()
    .skipLocked();

  return await deleteInBatches(deps, (em) =>
    kyselyOf(em).deleteFrom("login_failures").where("key", "=", anyOfRows(old)),
  );
}

/** Addresses without a sign-in for long, or with one in the future. */
export async function removeOldAddresses(
  deps: TransactionDeps,
  { asOf, latest }: CleanUpTime,
): Promise<number> {
  const isForgottenSince = asOf - KNOWN_ADDRESS_SECONDS;
  const old = kyselyOf(deps.em)
    .selectFrom("known_addresses")
    .select(["user", "address"])
    .where((eb) =>
      eb.or([eb("lastSignedInAt", "<=", isForgottenSince), eb("lastSignedInAt", ">", latest)]),
    )
    .limit(BATCH_SIZE)
    .forUpdate()
    .skipLocked();

  return await deleteInBatches(deps, (em) =>
    kyselyOf(em)
      .deleteFrom("known_addresses")
      .where((eb) => eb(eb.refTuple("user", "address"), "in", old.$asTuple("user", "address"))),
  );
}
