import { createHash } from "node:crypto";
import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { Username } from "../../shared/users.ts";
import type { Deps } from "../core/deps.ts";
import { AppError } from "../core/errors.ts";
import { networkOf } from "../core/network-of.ts";
import { kyselyOf } from "../database/kysely.ts";
import { inTransaction } from "../database/transaction.ts";
import { LoginFailureEntity } from "./entity.ts";
import { isKnownAddress } from "./known-addresses.ts";

/** Failures allowed within a window, in seconds, that begins with the first of them. */
export const LIMITS = {
  account: { max: 100, window: 3600 },
  address: { max: 50, window: 300 },
  accountAtAddress: { max: 10, window: 300 },
  passwordChange: { max: 10, window: 300 },
} as const;
export const LONGEST_WINDOW = LIMITS.account.window;

export interface Limit {
  readonly key: string;
  readonly max: number;
  readonly window: number;
}

export type SignInLimits = readonly [account: Limit, address: Limit, accountAtAddress: Limit];

type LimitDeps = Pick<Deps, "em" | "bus" | "clock">;
type CounterDeps = Pick<Deps, "em" | "clock">;

/** Counts an attempt as failed before its password is verified, so that parallel guesses cannot pass a limit together. */
export async function reserveAttempt(
  deps: LimitDeps,
  limits: readonly Limit[],
  isExempt: (deps: CounterDeps, reached: readonly Limit[]) => Promise<boolean> = async () => false,
): Promise<void> {
  await inTransaction(deps, async (em) => {
    const inside = { em, clock: deps.clock };
    const reached = await addFailures(inside, limits, 1);
    if (reached.length === 0 || (await isExempt(inside, reached))) return;
    const retryAfter = Math.max(1, ...reached.map(({ endsAt }) => endsAt - deps.clock.now()));
    const message = `密码错误次数过多，请${Math.ceil(retryAfter / 60)}分钟后再试`;
    throw new AppError("TOO_MANY_REQUESTS", message, { retryAfter });
  });
}

/** Beyond the limit of the account, addresses from which it has signed in may still try. Unknown names are limited alike. */
export async function reserveSignIn(deps: LimitDeps, username: string, ip: string): Promise<SignInLimits> {
  const [name, address] = [accountKey(username), networkOf(ip)];
  const account = { key: `account:${name}`, ...LIMITS.account };
  const accountAtAddress = { key: `pair:${name}@${address}`, ...LIMITS.accountAtAddress };
  const limits: SignInLimits = [account, { key: `address:${address}`, ...LIMITS.address }, accountAtAddress];
  await reserveAttempt(deps, limits, async (inside, reached) => {
    const isOnlyAccount = reached.every(({ key }) => key === account.key);
    return isOnlyAccount && isKnownAddress(inside, { username, address });
  });
  return limits;
}

/** Takes a reserved attempt back when its verification fails, as when the hash queue is full: it was neither right nor wrong. */
export function releaseOnError<Result>(
  deps: CounterDeps,
  limits: readonly Limit[],
  verification: Promise<Result>,
): Promise<Result> {
  return verification.catch(async (error: unknown) => {
    await addFailures(deps, limits, -1).catch(() => undefined);
    throw error;
  });
}

/** After a right password. The other failures of the address stay: they may be guesses at other accounts. */
export async function settleSignIn(deps: CounterDeps, [account, address, pair]: SignInLimits): Promise<void> {
  await addFailures(deps, [account, address], -1);
  await deps.em.nativeDelete(LoginFailureEntity, { key: pair.key });
}

/** When the password of an account is set anew, or its name becomes free. */
export async function forgetFailures(em: SqlEntityManager, username: string): Promise<void> {
  const name = accountKey(username);
  const pairs = { $like: `pair:${name.replaceAll("_", "\\_")}@%` };
  await em.nativeDelete(LoginFailureEntity, { $or: [{ key: `account:${name}` }, { key: pairs }] });
}

export function passwordChangeLimit(userId: string): Limit {
  return { key: `change:${userId}`, ...LIMITS.passwordChange };
}

/** Names that no account can have may be longer than an index takes. */
function accountKey(username: string): string {
  if (Username.safeParse(username).success) return username.toLowerCase();
  return `other:${createHash("sha256").update(username).digest("hex")}`;
}

/** One statement, which locks the counters in the order of `limits`. Returns those that are beyond their limit now. */
async function addFailures(
  { em, clock }: CounterDeps,
  limits: readonly Limit[],
  added: 1 | -1,
): Promise<(Limit & { readonly endsAt: number })[]> {
  const now = clock.now();
  const fresh = limits.map(({ key }) => ({ key, windowStartedAt: now, failures: Math.max(0, added) }));
  const counters = await kyselyOf(em)
    .insertInto("login_failures")
    .values(fresh)
    .onConflict((conflict) =>
      conflict.column("key").doUpdateSet((eb) => {
        const counted = eb("login_failures.failures", "+", added);
        const isOver = eb.or([
          eb("login_failures.failures", "=", 0),
          ...limits.map(({ key, window }) =>
            eb.and([eb("login_failures.key", "=", key), eb("login_failures.windowStartedAt", "<=", now - window)]),
          ),
        ]);
        return {
          failures: eb
            .case()
            .when(isOver)
            .then(eb.ref("excluded.failures"))
            .else(eb.fn<number>("greatest", [counted, eb.lit(0)]))
            .end(),
          windowStartedAt: eb.case().when(isOver).then(now).else(eb.ref("login_failures.windowStartedAt")).end(),
        };
      }),
    )
    .returning(["key", "failures", "windowStartedAt"])
    .execute();
  return limits.flatMap((limit) => {
    const counter = counters.find(({ key }) => key === limit.key);
    if (counter === undefined || counter.failures <= limit.max) return [];
    return [{ ...limit, endsAt: counter.windowStartedAt + limit.window }];
  });
}
