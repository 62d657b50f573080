import { randomBytes } from "node:crypto";
import { type Algorithm, hash, parseOptions, type Version, verify } from "@node-rs/argon2";
import pLimit from "p-limit";
import { AppError } from "../core/errors.ts";
import type { PasswordHasher } from "../core/ports.ts";

// The package's enums are for the compiler only, and are not there when types are merely stripped.
const ARGON2ID: Algorithm.Argon2id = 2;
const VERSION_0X13: Version.V0x13 = 1;

const PARAMETERS = { algorithm: ARGON2ID, version: VERSION_0X13, parallelism: 1 } as const;
/** OWASP's first choice for argon2id with one lane: 19 MiB, two passes. */
const DEFAULT_COST: PasswordCost = { memoryCost: 19_456, timeCost: 2 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const RETRY_SECONDS = 2;

export interface PasswordCost {
  /** In KiB. */
  readonly memoryCost: number;
  readonly timeCost: number;
}

export interface PasswordHasherOptions {
  /** Hashes computed at the same time. They share libuv's threads with every file read, so keep it well below four. */
  readonly concurrency: number;
  /** Callers that may wait beyond those; more are told to come back later. */
  readonly maxWaiting: number;
  /** Default: 19 MiB, two passes. */
  readonly cost?: PasswordCost | undefined;
}

/** argon2id with bounded use of processor and memory. */
export function createPasswordHasher({
  concurrency,
  maxWaiting,
  cost = DEFAULT_COST,
}: PasswordHasherOptions): PasswordHasher {
  const limit = pLimit(concurrency);
  const nobody = digestOfNobody(cost);
  let taken = 0;

  async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (taken >= concurrency + maxWaiting) {
      throw new AppError("TOO_MANY_REQUESTS", undefined, { retryAfter: RETRY_SECONDS });
    }
    taken++;
    try {
      return await limit(work);
    } finally {
      taken--;
    }
  }

  return {
    hash: (password) => inTurn(() => hash(password, { ...PARAMETERS, ...cost, outputLen: HASH_BYTES })),
    verify: (digest, password) => inTurn(() => verify(digest, password)),
    async verifyNothing(password) {
      await inTurn(() => verify(nobody, password));
    },
    needsRehash: (digest) => isWeaker(digest, cost),
  };
}

/** Below the present parameters in any respect. A stronger digest is left as it is. */
function isWeaker(digest: string, cost: PasswordCost): boolean {
  const made = parseOptions(digest);
  return (
    made.algorithm !== PARAMETERS.algorithm ||
    made.version !== PARAMETERS.version ||
    made.memoryCost < cost.memoryCost ||
    made.timeCost < cost.timeCost ||
    made.parallelism < PARAMETERS.parallelism
  );
}

/** A well-formed digest that no password matches; verifying against it costs what any other verification costs. */
function digestOfNobody({ memoryCost, timeCost }: PasswordCost): string {
  const costs = `m=${memoryCost},t=${timeCost},p=${PARAMETERS.parallelism}`;
  return `$argon2id$v=19$${costs}$${unpadded(randomBytes(SALT_BYTES))}$${unpadded(randomBytes(HASH_BYTES))}`;
}

function unpadded(bytes: Buffer): string {
  return bytes.toString("base64").replaceAll("=", "");
}
