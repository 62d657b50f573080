import { createHash } from "node:crypto";
import { LockMode, type SqlEntityManager, sql } from "@mikro-orm/postgresql";
import { Username } from "../../shared/users.ts";
import type { Deps } from "../core/deps.ts";
import { AppError } from "../core/errors.ts";
import { networkOf } from "../core/network-of.ts";
import { kyselyOf } from "../database/kysely.ts";
import { inTransaction } from "../database/transaction.ts";
import { KnownAddressEntity, LoginFailureEntity } from "./entity.ts";

/** Failures allowed within a window, in seconds, that begins with the first of them. */
const LIMITS = {
  account: { max: 100, window: 3600 },
  address: { max: 50, window: 300 },
  accountAtAddress: { max: 10, window: 300 },
  passwordChange: { max: 10, window: 300 },
} as const;
export const LONGEST_WINDOW_SECONDS = LIMITS.account.window;
export const KNOWN_ADDRESS_SECONDS = 90 * 24 * 3600;

type Limit = { readonly key: string; readonly max: number; readonly window: number };

export type SignInLimits = Readonly<Record<"account" | "address" | "accountAtAddress", Limit>>;

type CounterDeps = Pick<Deps, "em" | "clock">;
type LimitDeps = CounterDeps & Pick<Deps, "bus">;

/** Counts a sign-in as failed before its password is verified, because guesses may be parallel. Throws TOO_MANY_REQUESTS. */
export async function reserveSignIn(deps: LimitDeps, username: string, ip: string): Promise<SignInLimits> {
  const [name, network] = [accountKey(username), networkOf(ip)];
  const limits = {
    account: { key: `account:${name}`, ...LIMITS.account },
    address: { key: `address:${network}`, ...LIMITS.address },
    accountAtAddress: { key: `pair:${name}@${network}`, ...LIMITS.accountAtAddress },
  };
  await inTransaction(deps, async (em) => {
    const inside = { ...deps, em };
    const reached = await addFailures(inside, Object.values(limits), 1);
    // Beyond the limit of the account, addresses from which it has signed in may still try.
    const isOnlyAccount = reached.size === 1 && reached.has(limits.account.key);
    if (isOnlyAccount && (await isKnownAddress(inside, username, network))) return;
    assertNoneReached(deps, reached);
  });
  return limits;
}

/** Counts a change of the own password as failed, until `clearFailures`. Throws TOO_MANY_REQUESTS. */
export async function reservePasswordChange(deps: LimitDeps, userId: string): Promise<readonly Limit[]> {
  const limits = [{ key: `change:${userId}`, ...LIMITS.passwordChange }];
  await inTransaction(deps, async (em) => assertNoneReached(deps, await addFailures({ ...deps, em }, limits, 1)));
  return limits;
}

/** Takes a reserved attempt back when its verification fails, as when the hash queue is full: it was neither right nor wrong. */
export async function releaseOnError<T>(
  deps: LimitDeps,
  limits: readonly Limit[],
  verification: Promise<T>,
): Promise<T> {
  try {
    return await verification;
  } catch (error) {
    await inTransaction(deps, (em) => addFailures({ ...deps, em }, limits, -1)).catch(() => undefined);
    throw error;
  }
}

/** After a right password, inside a transaction. The other failures of the address stay: they may be guesses at other accounts. */
export async function acceptSignIn(deps: CounterDeps, limits: SignInLimits): Promise<void> {
  await addFailures(deps, [limits.account, limits.address], -1);
  await clearFailures(deps, [limits.accountAtAddress]);
}

export async function clearFailures({ em }: Pick<Deps, "em">, limits: readonly Limit[]): Promise<void> {
  await em.nativeDelete(LoginFailureEntity, { key: limits.map(({ key }) => key) });
}

export async function clearFailuresOfUser(em: SqlEntityManager, username: string): Promise<void> {
  const name = accountKey(username);
  const atAddresses = { $like: `pair:${name.replaceAll("_", "\\_")}@%` };
  await em.nativeDelete(LoginFailureEntity, { $or: [{ key: `account:${name}` }, { key: atAddresses }] });
}

function accountKey(username: string): string {
  // Other names may be longer than an index takes.
  if (Username.safeParse(username).success) return username.toLowerCase();
  return `other:${createHash("sha256").update(username).digest("hex")}`;
}

/** Returns the window ends of the limits that are exceeded, by key. Locks the counters in the order of their keys. */
async function addFailures({ em, clock }: CounterDeps, limits: readonly Limit[], added: 1 | -1) {
  const now = clock.now();
  const fresh = limits.map(({ key }) => ({ key, windowStartedAt: now, failures: 0 }));
  await kyselyOf(em)
    .insertInto("login_failures")
    .values(fresh)
    .onConflict((to) => to.doNothing())
    .execute();
  const lock = { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { key: "asc" }, refresh: true } as const;
  const counters = await em.find(LoginFailureEntity, { key: limits.map(({ key }) => key) }, lock);
  const reached = new Map<string, number>();
  for (const { key, max, window } of limits) {
    const counter = counters.find((each) => each.key === key);
    if (counter === undefined) continue;
    const isOver = counter.failures === 0 || counter.windowStartedAt <= now - window;
    if (isOver) em.assign(counter, { windowStartedAt: now, failures: 0 });
    counter.failures = Math.max(0, counter.failures + added);
    if (counter.failures > max) reached.set(key, counter.windowStartedAt + window);
  }
  await em.flush();
  return reached;
}

function assertNoneReached({ clock }: Pick<Deps, "clock">, reached: ReadonlyMap<string, number>): void {
  if (reached.size === 0) return;
  const retryAfter = Math.max(1, ...[...reached.values()].map((endsAt) => endsAt - clock.now()));
  const message = `密码错误次数过多，请${Math.ceil(retryAfter / 60)}分钟后再试`;
  throw new AppError("TOO_MANY_REQUESTS", message, { retryAfter });
}

/** One statement for every name, so that the time does not show which names exist. */
async function isKnownAddress({ em, clock }: CounterDeps, username: string, address: string): Promise<boolean> {
  const user = { [sql.lower("username")]: username.toLowerCase() };
  const lastSignedInAt = { $gt: clock.now() - KNOWN_ADDRESS_SECONDS };
  return (await em.count(KnownAddressEntity, { user, address, lastSignedInAt })) > 0;
}
