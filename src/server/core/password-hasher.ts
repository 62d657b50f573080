import { randomBytes } from "node:crypto";
import argon2 from "argon2";
import pLimit from "p-limit";
import { AppError } from "./errors.ts";
import type { PasswordHasher } from "./ports.ts";

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane. The package's own defaults are several times slower. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1, version: 0x13 } as const;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const RETRY_SECONDS = 2;

export interface PasswordHasherOptions {
  /** Hashes computed at the same time. They share libuv's threads with every file read, so keep it well below four. */
  readonly concurrency: number;
  /** Callers that may wait beyond those; more are told to come back later. */
  readonly maxWaiting: number;
}

/** argon2id with bounded use of processor and memory. */
export function createPasswordHasher({ concurrency, maxWaiting }: PasswordHasherOptions): PasswordHasher {
  const limit = pLimit(concurrency);
  const nobody = digestOfNobody();
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
    hash: (password) =>
      inTurn(() => argon2.hash(password, { ...PARAMETERS, type: argon2.argon2id, hashLength: HASH_BYTES })),
    verify: (hash, password) => inTurn(() => argon2.verify(hash, password)),
    async verifyNothing(password) {
      await inTurn(() => argon2.verify(nobody, password));
    },
    needsRehash: (hash) => isWeaker(hash),
  };
}

/** Below the present parameters in any respect. A stronger hash is left as it is. */
function isWeaker(hash: string): boolean {
  const [, type, version, parameters = ""] = hash.split("$");
  const {
    m = 0,
    t = 0,
    p = 0,
  } = Object.fromEntries(
    parameters.split(",").map((pair) => {
      const [name = "", value] = pair.split("=");
      return [name, Number(value)];
    }),
  );
  return (
    type !== "argon2id" ||
    version !== `v=${PARAMETERS.version}` ||
    m < PARAMETERS.memoryCost ||
    t < PARAMETERS.timeCost ||
    p < PARAMETERS.parallelism
  );
}

/** A well-formed digest that no password matches; verifying against it costs what any other verification costs. */
function digestOfNobody(): string {
  const { version, memoryCost, timeCost, parallelism } = PARAMETERS;
  const costs = `m=${memoryCost},p=${parallelism},t=${timeCost}`;
  return `$argon2id$v=${version}$${costs}$${unpadded(randomBytes(SALT_BYTES))}$${unpadded(randomBytes(HASH_BYTES))}`;
}

function unpadded(bytes: Buffer): string {
  return bytes.toString("base64").replaceAll("=", "");
}
