import fc from "fast-check";

/** How many times as many stories as usual. */
export const MORE_RUNS = Number(process.env.PROPERTY_RUNS ?? 1);
/** Unset: other stories at every run. */
const SEED = process.env.PROPERTY_SEED;
const MAX_ACTIONS = 40;

/** For a whole property with its shrinking, in ms. */
export const PROPERTY_LIMIT = 120_000 * MORE_RUNS;

/**
 * Makes up stories out of these actions and has each told from the same start: `tell` holds every answer against its own model. Throws
 * the shortest story that goes wrong, with the seed that tells it again (PROPERTY_SEED).
 */
export async function tellStories<Action>(
  actions: fc.Arbitrary<Action>,
  { runs, tell }: { readonly runs: number; readonly tell: (story: readonly Action[]) => Promise<void> },
): Promise<void> {
  // Without the library's liking for short and small: a story needs time to go wrong.
  const stories = fc.noBias(fc.array(actions, { minLength: 1, maxLength: MAX_ACTIONS, size: "max" }));
  await fc.assert(fc.asyncProperty(stories, tell), {
    numRuns: Math.ceil(runs * MORE_RUNS),
    ...(SEED === undefined ? {} : { seed: Number(SEED) }),
  });
}

/** One of these, and now and then another. */
export function mostly(usual: readonly number[], other: fc.Arbitrary<number>): fc.Arbitrary<number> {
  return fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...usual) }, { weight: 1, arbitrary: other });
}

/** What an arbitrary makes. */
export type Made<Source> = Source extends fc.Arbitrary<infer Value> ? Value : never;

/** The one that a number picks, however many there are. */
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

export function verdictOf({
  status,
  data,
}: {
  readonly status: number;
  readonly data: { readonly code?: string };
}): Verdict {
  return [status, status < 300 ? null : (data.code ?? null)];
}
