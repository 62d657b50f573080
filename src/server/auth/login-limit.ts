import { createHash } from "node:crypto";
import { type RawBuilder, sql } from "kysely";
import { Username } from "../../shared/users.ts";
import type { Deps } from "../core/deps.ts";
import { AppError } from "../core/errors.ts";
import type { AuthTables } from "./entity.ts";

export const MAX_FAILURES = 10;
/** Seconds, from the first failure that is counted. */
export const FAILURE_WINDOW = 300;

type LimitDeps = Pick<Deps, "em" | "clock">;

/**
 * Failures are counted per account name, so that neither many addresses nor a forged one help a guesser, and in the database,
 * so that all replicas see them. Names that nobody has are counted in the same way and tell nothing.
 */
export function accountKey(username: string): string {
  if (Username.safeParse(username).success) return username.toLowerCase();
  // No account has such a name, and it may be longer than an index takes.
  return `other:${createHash("sha256").update(username).digest("hex")}`;
}

/** Failures that count at a moment, in Unix seconds: a subquery of at most one row. */
export function failuresOf(key: string, now: number): RawBuilder<CountedFailures> {
  return sql<CountedFailures>`(
    select failures, window_started_at from login_failures
    where account_key = ${key} and window_started_at > ${now - FAILURE_WINDOW}
  )`;
}

/** Nulls when there are none. */
export interface CountedFailures {
  readonly failures: number | null;
  readonly window_started_at: number | null;
}

/** Throws TOO_MANY_REQUESTS while the limit is reached, whatever the password. Answers the number of failures so far. */
export async function assertMayTry(deps: LimitDeps, key: string): Promise<number> {
  const now = deps.clock.now();
  const { rows } = await sql<CountedFailures>`select * from ${failuresOf(key, now)} f`.execute(deps.em.getKysely());
  return assertFew(rows[0], now);
}

/** The same, for who has read the failures with something else. */
export function assertFew(counted: CountedFailures | undefined, now: number): number {
  const failures = counted?.failures ?? 0;
  if (failures >= MAX_FAILURES) throw tooManyFailures(counted?.window_started_at ?? now, now);
  return failures;
}

/** Counts one failure. Throws TOO_MANY_REQUESTS for those that came at once with too many others to be stopped before. */
export async function countFailure(deps: LimitDeps, key: string): Promise<void> {
  const now = deps.clock.now();
  const row = await deps.em
    .getKysely<AuthTables>()
    .insertInto("login_failures")
    .values({ account_key: key, window_started_at: now, failures: 1 })
    .onConflict((conflict) =>
      conflict.column("account_key").doUpdateSet((eb) => {
        const isOver = eb("login_failures.window_started_at", "<=", now - FAILURE_WINDOW);
        return {
          failures: eb
            .case()
            .when(isOver)
            .then(1)
            .else(eb("login_failures.failures", "+", 1))
            .end(),
          window_started_at: eb.case().when(isOver).then(now).else(eb.ref("login_failures.window_started_at")).end(),
        };
      }),
    )
    .returning(["failures", "window_started_at"])
    .executeTakeFirstOrThrow();
  if (row.failures > MAX_FAILURES) throw tooManyFailures(row.window_started_at, now);
}

export async function forgetFailures(deps: Pick<Deps, "em">, key: string): Promise<void> {
  await deps.em.getKysely<AuthTables>().deleteFrom("login_failures").where("account_key", "=", key).execute();
}

function tooManyFailures(windowStartedAt: number, now: number): AppError {
  const retryAfter = Math.max(1, windowStartedAt + FAILURE_WINDOW - now);
  const sentence = `密码错误次数过多，请${Math.ceil(retryAfter / 60)}分钟后再试`;
  return new AppError("TOO_MANY_REQUESTS", sentence, { retryAfter });
}
