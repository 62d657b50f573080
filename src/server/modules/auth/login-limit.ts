import { createHash } from "node:crypto";
import type { InferEntity } from "@mikro-orm/core";
import { LockMode, type SqlEntityManager } from "@mikro-orm/postgresql";
import { Username } from "../../../shared/users.ts";
import { isFromFuture } from "../../platform/clock.ts";
import { anyOfRows } from "../../platform/database/expressions.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import { networkOf } from "../../platform/network-of.ts";
import type { AuthDeps } from "./deps.ts";
import { LoginFailureEntity } from "./entity.ts";
import { isKnownAddress } from "./known-addresses.ts";

// How guessing passwords and codes is limited. Failures are counted in rows of the database, and
// their windows are measured by its clock, so that all replicas count together: by account, by
// address, and by both together. An attempt has three phases.
//
// 1. Reserve. Before its password is verified, the attempt is counted as failed in each of its
//    counters. If one of them would exceed its limit, none is changed and the attempt is refused.
// 2. Verify. Guesses that come in parallel have all been counted by now. If an attempt were counted
//    only after its verification, a hundred guesses at once would all find the counter at zero.
// 3. Settle. A wrong password leaves the count as it is. A right one takes it back, in the
//    transaction that lets the caller in (`acceptSignIn`, `clearFailures`). An attempt that was
//    neither right nor wrong, because the database went away meanwhile, is released.
//
// Codes of a second factor count like passwords, in the same counters. A right password that a code
// must follow takes back its own count, and leaves the failures before it (`takeBackSignIn`):
// otherwise whoever knows the password could clear them, and guess codes for ever.
//
// A right password is refused beside a counter that stands one below its limit, if the last place is
// taken by another right one at that moment: a process verifies two at once. The counter is free
// again when that one has been let in.

/** Failures allowed within a window, in seconds, that begins with the first of them. */
const LIMITS = {
  account: { max: 100, window: 3600 },
  address: { max: 50, window: 300 },
  accountAtAddress: { max: 10, window: 300 },
  ownPassword: { max: 10, window: 300 },
  ownCode: { max: 10, window: 300 },
} as const;
export const LONGEST_WINDOW_SECONDS = LIMITS.account.window;

export type Limit = { readonly key: string; readonly max: number; readonly window: number };

export type SignInLimits = Readonly<Record<"account" | "address" | "accountAtAddress", Limit>>;

/**
 * How long a call with a password may take, all its waits together: for its turn, for other
 * attempts, and several times for the database. Those who come after it wait behind it, and callers
 * give up after 30 s. Milliseconds.
 */
export const PASSWORD_CALL_LIMIT_MS = 20_000;

/** The signal aborts when the time of the call is up. */
export type LimitDeps = AuthDeps & { readonly signal: AbortSignal };

/** In how many seconds the windows of the limits end that are exceeded, by key. */
type Reached = ReadonlyMap<string, number>;
const NONE_REACHED: Reached = new Map();

type Guessed = "密码" | "验证码";

interface Reservation {
  readonly guessed: Guessed;
  readonly limits: readonly Limit[];
  /** Counts one failure, inside a transaction that is undone when a limit is exceeded. */
  readonly reserve: (inside: AuthDeps) => Promise<Reached>;
}

interface SignInStep {
  readonly username: string;
  readonly ip: string;
  readonly guessed: Guessed;
}

/**
 * Runs a step of a sign-in that counts as failed until `acceptSignIn` or `takeBackSignIn`. Throws
 * TOO_MANY_REQUESTS.
 */
export async function limitSignIn<Result>(
  deps: LimitDeps,
  { username, ip, guessed }: SignInStep,
  attempt: (limits: SignInLimits) => Promise<Result>,
): Promise<Result> {
  const address = networkOf(ip);
  const named = signInLimits(username, address);
  const limits = Object.values(named);

  async function reserve(inside: AuthDeps): Promise<Reached> {
    const reached = await countFailure(inside, limits);
    // Beyond the limit of the account, addresses from which it has signed in may still try.
    const isOnlyAccount = reached.size === 1 && reached.has(named.account.key);
    if (isOnlyAccount && (await isKnownAddress(inside, { username, address }))) return NONE_REACHED;
    return reached;
  }

  return await runReserved(deps, { guessed, limits, reserve }, () => attempt(named));
}

function signInLimits(username: string, address: string): SignInLimits {
  const account = accountKey(username);
  return {
    account: { key: `account:${account}`, ...LIMITS.account },
    address: { key: `address:${address}`, ...LIMITS.address },
    accountAtAddress: { key: `pair:${account}@${address}`, ...LIMITS.accountAtAddress },
  };
}

/**
 * Runs a check of the own password that counts as failed until `clearFailures`. Throws
 * TOO_MANY_REQUESTS.
 */
export async function limitOwnPassword<Result>(
  deps: LimitDeps,
  userId: string,
  attempt: (limits: readonly Limit[]) => Promise<Result>,
): Promise<Result> {
  const limits = [{ key: `change:${userId}`, ...LIMITS.ownPassword }];
  const reserve = (inside: AuthDeps) => countFailure(inside, limits);
  return await runReserved(deps, { guessed: "密码", limits, reserve }, () => attempt(limits));
}

/** The same for a code of the own second factor. */
export async function limitOwnCode<Result>(
  deps: LimitDeps,
  userId: string,
  attempt: (limits: readonly Limit[]) => Promise<Result>,
): Promise<Result> {
  const limits = [{ key: `code:${userId}`, ...LIMITS.ownCode }];
  const reserve = (inside: AuthDeps) => countFailure(inside, limits);
  return await runReserved(deps, { guessed: "验证码", limits, reserve }, () => attempt(limits));
}

async function runReserved<Result>(
  deps: LimitDeps,
  reservation: Reservation,
  attempt: () => Promise<Result>,
): Promise<Result> {
  const { guessed, limits, reserve } = reservation;
  // Its turn may have come after its time.
  deps.signal.throwIfAborted();
  await inTransaction(deps, async (em) => {
    const reached = await reserve({ ...deps, em });
    // Thrown, so that the transaction is undone.
    if (reached.size > 0) throw tooManyFailures(reached, guessed);
  });

  try {
    return await attempt();
  } catch (error) {
    await release(deps, limits);
    throw error;
  }
}

/** The failure of the attempt itself is what its caller learns, also when this one fails, too. */
async function release(deps: LimitDeps, limits: readonly Limit[]): Promise<void> {
  const released = inTransaction(deps, (em) => takeBackFailure({ ...deps, em }, limits));
  await released.catch(() => undefined);
}

/**
 * After a sign-in that is complete, inside a transaction. The other failures of the address stay:
 * they may be guesses at other accounts.
 */
export async function acceptSignIn(deps: AuthDeps, limits: SignInLimits): Promise<void> {
  await takeBackFailure(deps, [limits.account, limits.address]);
  await clearFailures(deps.em, [limits.accountAtAddress]);
}

/** After a right password that a code must follow, inside a transaction. */
export async function takeBackSignIn(deps: AuthDeps, limits: SignInLimits): Promise<void> {
  await takeBackFailure(deps, Object.values(limits));
}

export async function clearFailures(em: SqlEntityManager, limits: readonly Limit[]): Promise<void> {
  await em.nativeDelete(LoginFailureEntity, { key: limits.map(({ key }) => key) });
}

/** Of the account, from every address. Locks in the order of the keys, as attempts do. */
export async function clearFailuresOfUser(em: SqlEntityManager, username: string): Promise<void> {
  const name = accountKey(username);
  const atAddresses = `pair:${name.replaceAll("_", "\\_")}@%`;
  const ofUser = kyselyOf(em)
    .selectFrom("login_failures")
    .select("key")
    .where((eb) => eb.or([eb("key", "=", `account:${name}`), eb("key", "like", atAddresses)]))
    .orderBy("key")
    .forUpdate();

  await kyselyOf(em).deleteFrom("login_failures").where("key", "=", anyOfRows(ofUser)).execute();
}

function accountKey(username: string): string {
  // Other names may be longer than an index takes.
  if (Username.safeParse(username).success) return username.toLowerCase();
  return `other:${createHash("sha256").update(username).digest("hex")}`;
}

async function countFailure(deps: AuthDeps, limits: readonly Limit[]): Promise<Reached> {
  const now = await deps.databaseClock.now(deps.em);
  const reached = new Map<string, number>();
  for (const { limit, row } of await lockCounters(deps.em, limits, now)) {
    row.failures += 1;
    if (row.failures > limit.max) reached.set(limit.key, row.windowStartedAt + limit.window - now);
  }
  await deps.em.flush();
  return reached;
}

async function takeBackFailure(deps: AuthDeps, limits: readonly Limit[]): Promise<void> {
  const now = await deps.databaseClock.now(deps.em);
  for (const { row } of await lockCounters(deps.em, limits, now)) {
    row.failures = Math.max(0, row.failures - 1);
  }
  await deps.em.flush();
}

interface Counter {
  readonly limit: Limit;
  readonly row: InferEntity<typeof LoginFailureEntity>;
}

/**
 * Locks in the order of the keys. A window that is over begins anew, with no failure; so does one of
 * the future, or its account would be locked until then.
 */
async function lockCounters(
  em: SqlEntityManager,
  limits: readonly Limit[],
  now: number,
): Promise<Counter[]> {
  const keys = limits.map(({ key }) => key);
  await kyselyOf(em)
    .insertInto("login_failures")
    .values(keys.map((key) => ({ key, windowStartedAt: now, failures: 0 })))
    .onConflict((to) => to.doNothing())
    .execute();
  const rows = await em.find(
    LoginFailureEntity,
    { key: keys },
    { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { key: "asc" }, refresh: true },
  );

  const counters: Counter[] = [];
  for (const limit of limits) {
    const row = rows.find(({ key }) => key === limit.key);
    // The clean-up has removed it between the two statements: its window was over.
    if (row === undefined) continue;

    const { failures, windowStartedAt } = row;
    const isOver =
      failures === 0 || windowStartedAt <= now - limit.window || isFromFuture(windowStartedAt, now);
    if (isOver) em.assign(row, { windowStartedAt: now, failures: 0 });
    counters.push({ limit, row });
  }
  return counters;
}

function tooManyFailures(reached: Reached, guessed: Guessed): AppError {
  const retryAfter = Math.max(1, ...reached.values());
  const message = `${guessed}错误次数过多，请 ${Math.ceil(retryAfter / 60)} 分钟后再试`;
  return new AppError("TOO_MANY_REQUESTS", message, { retryAfter });
}
