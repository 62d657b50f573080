import { createHash } from "node:crypto";
import { LockMode, type SqlEntityManager, sql } from "@mikro-orm/postgresql";
import { Username } from "../../../shared/users.ts";
import type { Refusal } from "../../platform/attempts-under-way.ts";
import { isFromFuture, MAX_CLOCK_SKEW_SECONDS } from "../../platform/clock.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import type { Deps } from "../../platform/deps.ts";
import { AppError } from "../../platform/errors.ts";
import { networkOf } from "../../platform/network-of.ts";
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
type LimitDeps = CounterDeps & Pick<Deps, "bus" | "attempts">;

/** When the windows of the limits end that are exceeded, by key. */
type Reached = ReadonlyMap<string, number>;
const NONE_REACHED: Reached = new Map();

/** Runs a sign-in that counts as failed until `acceptSignIn`. Throws TOO_MANY_REQUESTS. */
export async function limitSignIn<Result>(
  deps: LimitDeps,
  { username, ip }: { readonly username: string; readonly ip: string },
  attempt: (limits: SignInLimits) => Promise<Result>,
): Promise<Result> {
  const [name, network] = [accountKey(username), networkOf(ip)];
  const limits = {
    account: { key: `account:${name}`, ...LIMITS.account },
    address: { key: `address:${network}`, ...LIMITS.address },
    accountAtAddress: { key: `pair:${name}@${network}`, ...LIMITS.accountAtAddress },
  };

  async function count(inside: CounterDeps): Promise<Reached> {
    const reached = await addFailures(inside, Object.values(limits), 1);
    // Beyond the limit of the account, addresses from which it has signed in may still try.
    const isOnlyAccount = reached.size === 1 && reached.has(limits.account.key);
    if (isOnlyAccount && (await isKnownAddress(inside, username, network))) return NONE_REACHED;
    return reached;
  }

  return await runCounted(deps, { limits: Object.values(limits), count }, () => attempt(limits));
}

/** Runs a change of the own password that counts as failed until `clearFailures`. Throws TOO_MANY_REQUESTS. */
export async function limitPasswordChange<Result>(
  deps: LimitDeps,
  userId: string,
  attempt: (limits: readonly Limit[]) => Promise<Result>,
): Promise<Result> {
  const limits = [{ key: `change:${userId}`, ...LIMITS.passwordChange }];
  const count = (inside: CounterDeps) => addFailures(inside, limits, 1);
  return await runCounted(deps, { limits, count }, () => attempt(limits));
}

interface Counted {
  readonly limits: readonly Limit[];
  /** Counts one failure, inside a transaction that is undone when a limit is exceeded. */
  readonly count: (inside: CounterDeps) => Promise<Reached>;
}

async function runCounted<Result>(
  deps: LimitDeps,
  { limits, count }: Counted,
  attempt: () => Promise<Result>,
): Promise<Result> {
  const keys = new Set(limits.map(({ key }) => key));
  using _counted = await deps.attempts.begin(keys, () => countUnlessReached(deps, count));
  try {
    return await attempt();
  } catch (error) {
    // Neither right nor wrong, as when the database went away meanwhile.
    await inTransaction(deps, (em) => addFailures({ ...deps, em }, limits, -1)).catch(
      () => undefined,
    );
    throw error;
  }
}

async function countUnlessReached(
  deps: LimitDeps,
  count: Counted["count"],
): Promise<Refusal | null> {
  let reached = NONE_REACHED;
  try {
    await inTransaction(deps, async (em) => {
      reached = await count({ ...deps, em });
      assertNoneReached(deps, reached);
    });
    return null;
  } catch (error) {
    if (reached.size === 0 || !(error instanceof AppError)) throw error;
    return { error, keys: new Set(reached.keys()) };
  }
}

/** After a right password, inside a transaction. The other failures of the address stay: they may be guesses at other accounts. */
export async function acceptSignIn(deps: CounterDeps, limits: SignInLimits): Promise<void> {
  await addFailures(deps, [limits.account, limits.address], -1);
  await clearFailures(deps, [limits.accountAtAddress]);
}

export async function clearFailures(
  { em }: Pick<Deps, "em">,
  limits: readonly Limit[],
): Promise<void> {
  await em.nativeDelete(LoginFailureEntity, { key: limits.map(({ key }) => key) });
}

export async function clearFailuresOfUser(em: SqlEntityManager, username: string): Promise<void> {
  const name = accountKey(username);
  const atAddresses = { $like: `pair:${name.replaceAll("_", "\\_")}@%` };
  await em.nativeDelete(LoginFailureEntity, {
    $or: [{ key: `account:${name}` }, { key: atAddresses }],
  });
}

function accountKey(username: string): string {
  // Other names may be longer than an index takes.
  if (Username.safeParse(username).success) return username.toLowerCase();
  return `other:${createHash("sha256").update(username).digest("hex")}`;
}

/** Returns the window ends of the limits that are exceeded, by key. Locks the counters in the order of their keys. */
async function addFailures(
  { em, clock }: CounterDeps,
  limits: readonly Limit[],
  added: 1 | -1,
): Promise<Reached> {
  const now = clock.now();
  const fresh = limits.map(({ key }) => ({ key, windowStartedAt: now, failures: 0 }));
  await kyselyOf(em)
    .insertInto("login_failures")
    .values(fresh)
    .onConflict((to) => to.doNothing())
    .execute();
  const lock = {
    lockMode: LockMode.PESSIMISTIC_WRITE,
    orderBy: { key: "asc" },
    refresh: true,
  } as const;
  const counters = await em.find(LoginFailureEntity, { key: limits.map(({ key }) => key) }, lock);
  const reached = new Map<string, number>();
  for (const { key, max, window } of limits) {
    const counter = counters.find((each) => each.key === key);
    if (counter === undefined) continue;
    const { failures, windowStartedAt } = counter;
    const isOver =
      failures === 0 || windowStartedAt <= now - window || isFromFuture(windowStartedAt, now);
    if (isOver) em.assign(counter, { windowStartedAt: now, failures: 0 });
    counter.failures = Math.max(0, counter.failures + added);
    if (counter.failures > max) reached.set(key, counter.windowStartedAt + window);
  }
  await em.flush();
  return reached;
}

function assertNoneReached({ clock }: Pick<Deps, "clock">, reached: Reached): void {
  if (reached.size === 0) return;
  const retryAfter = Math.max(1, ...[...reached.values()].map((endsAt) => endsAt - clock.now()));
  const message = `密码错误次数过多，请${Math.ceil(retryAfter / 60)}分钟后再试`;
  throw new AppError("TOO_MANY_REQUESTS", message, { retryAfter });
}

/** One statement for every name, so that the time does not show which names exist. */
async function isKnownAddress(
  { em, clock }: CounterDeps,
  username: string,
  address: string,
): Promise<boolean> {
  const user = { [sql.lower("username")]: username.toLowerCase() };
  const now = clock.now();
  const lastSignedInAt = { $gt: now - KNOWN_ADDRESS_SECONDS, $lte: now + MAX_CLOCK_SKEW_SECONDS };
  return (await em.count(KnownAddressEntity, { user, address, lastSignedInAt })) > 0;
}
