import { randomBytes } from "node:crypto";
import argon2 from "argon2";
import pLimit from "p-limit";
import { AppError } from "../../platform/errors.ts";
import { networkOf } from "../../platform/network-of.ts";

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
 * Hashes and verifies passwords, a few at a time: each takes a core and 19 MiB while it lasts. The
 * others wait. Throws TOO_MANY_REQUESTS when too many wait, in all or from the address `ip` alone.
 */
export function createPasswordHasher(
  options: QueueLimits & { readonly cost?: PasswordCost | undefined },
) {
  const enqueue = createQueue(options);
  const parameters = {
    type: argon2.argon2id,
    parallelism: 1,
    ...(options.cost ?? DEFAULT_COST),
  } as const;
  const unknownPassword = argon2.hash(randomBytes(32), parameters);

  const verifyNow: Verify = async (digest, password) => {
    const isRight = await argon2.verify(digest ?? (await unknownPassword), password);
    return isRight && digest !== null;
  };

  return {
    hash: (password: string, ip?: string) => enqueue(() => argon2.hash(password, parameters), ip),
    verify: (digest: string | null, password: string, ip?: string) =>
      enqueue(() => verifyNow(digest, password), ip),
    /** Runs `work` in its turn. `work` verifies passwords, and must not ask for another turn. */
    enqueue: <Result>(ip: string, work: (verify: Verify) => Promise<Result>) =>
      enqueue(() => work(verifyNow), ip),
    needsRehash: (digest: string) =>
      !digest.startsWith("$argon2id$") || argon2.needsRehash(digest, parameters),
  };
}

function createQueue({ concurrency, maxWaiting }: QueueLimits) {
  const limit = pLimit(concurrency);
  const maxOfOne = Math.max(1, Math.floor(maxWaiting * SHARE_OF_ONE_ADDRESS));
  /** The address of each; null for one without, such as the first admin's. */
  const waiting: (string | null)[] = [];

  return async <Result>(work: () => Promise<Result>, ip: string | undefined): Promise<Result> => {
    if (limit.activeCount < concurrency) return limit(work);

    const address = ip === undefined ? null : networkOf(ip);
    const ofSameAddress = waiting.filter((other) => address !== null && other === address);
    const exceedsAddressShare = ofSameAddress.length >= maxOfOne;
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
