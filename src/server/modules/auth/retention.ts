import { anyOfRows } from "../../platform/database/expressions.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import type { TransactionDeps } from "../../platform/database/transaction.ts";
import type { CleanUpTime } from "../../platform/retention/clean-up-time.ts";
import { BATCH_SIZE, deleteInBatches } from "../../platform/retention/delete-in-batches.ts";
import type { SessionDeps } from "./deps.ts";
import { KNOWN_ADDRESS_SECONDS } from "./known-addresses.ts";
import { LONGEST_WINDOW_SECONDS } from "./login-limit.ts";

// Rows that a call has locked are left for the next clean-up: it would lock them in another order.

/** Sessions that have ended. None of them is valid any more, whether it is removed or not. */
export async function removeEndedSessions(
  deps: TransactionDeps & Pick<SessionDeps, "sessionLimits">,
  { asOf }: CleanUpTime,
): Promise<void> {
  const idleSince = asOf - deps.sessionLimits.idle;
  const ended = kyselyOf(deps.em)
    .selectFrom("sessions")
    .select("id")
    .where((eb) => eb.or([eb("expiresAt", "<=", asOf), eb("lastUsedAt", "<=", idleSince)]))
    .limit(BATCH_SIZE)
    .forUpdate()
    .skipLocked();

  await deleteInBatches(deps, (em) =>
    kyselyOf(em).deleteFrom("sessions").where("id", "=", anyOfRows(ended)),
  );
}

/** Counters whose window is over, or began in the future. */
export async function removeOldLoginFailures(
  deps: TransactionDeps,
  { asOf, latest }: CleanUpTime,
): Promise<void> {
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

  await deleteInBatches(deps, (em) =>
    kyselyOf(em).deleteFrom("login_failures").where("key", "=", anyOfRows(old)),
  );
}

/** Addresses without a sign-in for long, or with one in the future. */
export async function removeOldAddresses(
  deps: TransactionDeps,
  { asOf, latest }: CleanUpTime,
): Promise<void> {
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

  await deleteInBatches(deps, (em) =>
    kyselyOf(em)
      .deleteFrom("known_addresses")
      .where((eb) => eb(eb.refTuple("user", "address"), "in", old.$asTuple("user", "address"))),
  );
}
