import fc from "fast-check";

/** Multiplies the number of runs. */
const MORE_RUNS = Number(process.env.PROPERTY_RUNS ?? 1);
/** Unset: other actions at every run. */
const SEED = process.env.PROPERTY_SEED;
const MAX_ACTIONS = 40;

/** Timeout of a whole property with its shrinking, in ms. */
export const PROPERTY_LIMIT = 120_000 * MORE_RUNS;

/**
 * Runs random sequences of actions, each from the same start; `run` compares every answer with its model. Throws the shortest
 * sequence that fails, with the seed that repeats it (PROPERTY_SEED).
 */
export async function checkRandomActions<Action>(
  actions: fc.Arbitrary<Action>,
  { runs, run }: { readonly runs: number; readonly run: (actions: readonly Action[]) => Promise<void> },
): Promise<void> {
  // Without the library's bias for short sequences, which rarely reach an interesting state.
  const sequences = fc.noBias(fc.array(actions, { minLength: 1, maxLength: MAX_ACTIONS, size: "max" }));
  await fc.assert(fc.asyncProperty(sequences, run), {
    numRuns: Math.ceil(runs * MORE_RUNS),
    ...(SEED === undefined ? {} : { seed: Number(SEED) }),
  });
}

/** One of the usual values, and sometimes another. */
export function mostly(usual: readonly number[], other: fc.Arbitrary<number>): fc.Arbitrary<number> {
  return fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...usual) }, { weight: 1, arbitrary: other });
}

export type Made<Source> = Source extends fc.Arbitrary<infer Value> ? Value : never;

/** The item at this index, modulo their number. */
export function pick<Item>(items: readonly Item[], index: number): Item {
  const found = items[index % items.length];
  if (found === undefined) throw new Error("there is nothing to pick from");
  return found;
}

/** Status and code that a call answers; `null` for a success. */
export type Verdict = readonly [status: number, code: string | null];

export const DONE: Verdict = [200, null];
export const MADE: Verdict = [201, null];
export const UNAUTHENTICATED: Verdict = [401, "UNAUTHENTICATED"];
export const FORBIDDEN: Verdict = [403, "FORBIDDEN"];
export const INVALID: Verdict = [400, "INVALID_INPUT"];
export const MISSING: Verdict = [404, "NOT_FOUND"];
export const CONFLICT: Verdict = [409, "CONFLICT"];
export const TOO_LATE: Verdict = [409, "STATE_CONFLICT"];

interface Answer {
  readonly status: number;
  readonly data: { readonly code?: string };
}

export function verdictOf({ status, data }: Answer): Verdict {
  return [status, status < 300 ? null : (data.code ?? null)];
}
