import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { DAY_SECONDS } from "../../../shared/time.ts";
import { MAX_CLOCK_SKEW_SECONDS } from "../clock.ts";
import { kyselyOf } from "../database/kysely.ts";
import { inTransaction } from "../database/transaction.ts";
import type { Deps } from "../deps.ts";
import { CleanUpEntity } from "./entity.ts";

// What is removed cannot come back, so the clean-up trusts no clock. It asks that of the database,
// the only one that all replicas share: a process whose clock is wrong removes nothing that another
// one would keep. And it remembers the time up to which it has cleaned up, and goes on from there by
// a day at most in each run: a database whose clock is set a year ahead does not lose its history,
// but a day of it in every ten minutes, while the log, the failed job and the alert say why.
//
// - After a standstill the clean-up catches up in the same way, by a day in each run.
// - A clock that was ahead and is set back stops nothing: the present lies before the time that is
//   remembered, and goes on to count. Until it has passed that time the clean-up follows the clock.
// - A clock that is set far back makes everything look as if it came from the future. Nothing up to
//   the time that is remembered counts as that.

const LONGEST_STEP_SECONDS = DAY_SECONDS;
const ID = 1;

/** The times by which one run of the clean-up decides. Unix seconds. */
export interface CleanUpTime {
  /** By the database's clock. */
  readonly present: number;
  /** Rows are removed as of this time: the present, or less when the clean-up is held back. */
  readonly asOf: number;
  /** A stored time after this was written by a wrong clock, and says nothing. */
  readonly latest: number;
}

/** Begins a run: takes its times, and remembers how far it goes for the next one. */
export async function takeCleanUpTime(
  deps: Pick<Deps, "em" | "bus" | "databaseClock" | "log">,
): Promise<CleanUpTime> {
  const { present, asOf, cleanedUpTo } = await inTransaction(deps, async (em) => {
    const present = await deps.databaseClock.now(em);
    // A new installation has nothing to lose.
    const before = (await lockCleanedUpTo(em)) ?? present;
    const asOf = Math.min(present, before + LONGEST_STEP_SECONDS);
    const cleanedUpTo = Math.max(before, asOf);

    await em.upsert(CleanUpEntity, { id: ID, cleanedUpTo });
    return { present, asOf, cleanedUpTo };
  });

  if (asOf < present) {
    deps.log.warn(
      { databaseTime: present, cleanedUpTo },
      "clean-up held back: it follows the database's clock by a day at a time; check that clock",
    );
  }
  return { present, asOf, latest: Math.max(present, cleanedUpTo) + MAX_CLOCK_SKEW_SECONDS };
}

async function lockCleanedUpTo(em: SqlEntityManager): Promise<number | undefined> {
  const stored = await kyselyOf(em)
    .selectFrom("clean_up")
    .select("cleanedUpTo")
    .where("id", "=", ID)
    .forUpdate()
    .executeTakeFirst();
  return stored?.cleanedUpTo;
}
