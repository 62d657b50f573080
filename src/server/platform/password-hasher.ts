import { randomBytes } from "node:crypto";
import argon2 from "argon2";
import pLimit from "p-limit";
import { AppError } from "./errors.ts";
import { networkOf } from "./network-of.ts";

/** OWASP's first choice for argon2id with one lane. */
const DEFAULT_COST: PasswordCost = { memoryCost: 19_456, timeCost: 2 };
const RETRY_SECONDS = 2;
const SHARE_OF_ONE_ADDRESS = 1 / 4;

export interface PasswordCost {
  readonly memoryCost: number;
  readonly timeCost: number;
}

interface QueueLimits {
  readonly concurrency: number;
  readonly maxWaiting: number;
}

/**
 * False for a null digest, after the time of a verification, so that unknown names take as long as
 * known ones.
 */
export type Verify = (digest: string | null, password: string) => Promise<boolean>;

export type PasswordHasher = ReturnType<typeof createPasswordHasher>;

/**
 * Throws TOO_MANY_REQUESTS when too many hashes are waiting, in all or from the address `ip` alone.
 */
export function createPasswordHasher(
  options: QueueLimits & { readonly cost?: PasswordCost | undefined },
) {
  const inTurn = createQueue(options);
  const parameters = {
    type: argon2.argon2id,
    parallelism: 1,
    ...(options.cost ?? DEFAULT_COST),
  } as const;
  const unknownPassword = argon2.hash(randomBytes(32), parameters);
  const verifyNow: Verify = async (digest, password) =>
    (await argon2.verify(digest ?? (await unknownPassword), password)) && digest !== null;

  return {
    hash: (password: string, ip?: string) => inTurn(() => argon2.hash(password, parameters), ip),
    verify: (digest: string | null, password: string, ip?: string) =>
      inTurn(() => verifyNow(digest, password), ip),
    /**
     * Waits for a turn, and gives it to `work`, which verifies passwords in it. It must not ask for
     * another turn.
     */
    inTurn: <Result>(ip: string, work: (verify: Verify) => Promise<Result>) =>
      inTurn(() => work(verifyNow), ip),
    needsRehash: (digest: string) =>
      !digest.startsWith("$argon2id$") || argon2.needsRehash(digest, parameters),
  };
}

function createQueue({ concurrency, maxWaiting }: QueueLimits) {
  const limit = pLimit(concurrency);
  const maxOfOne = Math.max(1, Math.floor(maxWaiting * SHARE_OF_ONE_ADDRESS));
  const waiting: (string | null)[] = [];

  return async <Result>(work: () => Promise<Result>, ip: string | undefined): Promise<Result> => {
    if (limit.activeCount < concurrency) return limit(work);
    const address = ip === undefined ? null : networkOf(ip);
    const exceedsAddressShare =
      address !== null && waiting.filter((other) => other === address).length >= maxOfOne;
    if (waiting.length >= maxWaiting || exceedsAddressShare) {
      throw new AppError("TOO_MANY_REQUESTS", undefined, { retryAfter: RETRY_SECONDS });
    }
    waiting.push(address);
    return limit(() => {
      waiting.splice(waiting.indexOf(address), 1);
      return work();
    });
  };
}
