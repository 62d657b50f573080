import pLimit from "p-limit";
import type { AppError } from "./errors.ts";

/** Why an attempt was not counted: the limits that it would exceed. */
export interface Refusal {
  readonly error: AppError;
  readonly keys: ReadonlySet<string>;
}

/**
 * An attempt that has been counted. Disposing of it says that it has failed or taken its count
 * back.
 */
export type Attempt = Disposable;

interface UnderWay {
  readonly keys: ReadonlySet<string>;
  readonly ended: Promise<void>;
}

type Try =
  | { readonly kind: "begun"; readonly attempt: Attempt }
  | ({ readonly kind: "refused" } & Conflict);

interface Conflict {
  readonly refusal: Refusal;
  /** Those that may still take back what they counted for the same limits. */
  readonly rivals: readonly UnderWay[];
}

/**
 * Attempts at passwords that this process verifies now.
 *
 * An attempt counts as failed before its password is verified, because guesses come in parallel,
 * and a right one takes its count back afterwards. So some right ones at once would look like too
 * many wrong ones. An attempt that finds a limit reached therefore waits for those under way that
 * count for the same limit, and is counted again: only what has really failed refuses it.
 *
 * Attempts are counted one after the other. Whatever a count contains of this process was then
 * under way when the count began, or had ended before it. Other replicas are not waited for.
 */
export class AttemptsUnderWay {
  readonly #oneAtATime = pLimit(1);
  readonly #underWay = new Set<UnderWay>();

  /**
   * `count` counts the attempt for the limits of these keys, or says why not. Throws the refusal's
   * error.
   */
  async begin(keys: ReadonlySet<string>, count: () => Promise<Refusal | null>): Promise<Attempt> {
    for (;;) {
      const tried = await this.#oneAtATime(() => this.#try(keys, count));
      if (tried.kind === "begun") return tried.attempt;
      if (tried.rivals.length === 0) throw tried.refusal.error;
      await Promise.race(tried.rivals.map(({ ended }) => ended));
    }
  }

  async #try(keys: ReadonlySet<string>, count: () => Promise<Refusal | null>): Promise<Try> {
    const others = [...this.#underWay];
    const refusal = await count();
    if (refusal === null) return { kind: "begun", attempt: this.#add(keys) };
    const rivals = others.filter(({ keys: theirs }) =>
      [...theirs].some((key) => refusal.keys.has(key)),
    );
    return { kind: "refused", refusal, rivals };
  }

  #add(keys: ReadonlySet<string>): Attempt {
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const attempt = { keys, ended };
    this.#underWay.add(attempt);
    return {
      [Symbol.dispose]: () => {
        this.#underWay.delete(attempt);
        resolve();
      },
    };
  }
}
