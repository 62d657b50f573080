import type { Deps } from "./deps.ts";
import { AppError } from "./errors.ts";
import { toAppError } from "./failures.ts";

/**
 * What a batch did with one item: an AppError when it failed, else an explanation if there is
 * something to say.
 */
export type BatchOutcome = { readonly ok: true; readonly message?: string } | AppError;

export function resultOf(outcome: BatchOutcome) {
  return outcome instanceof AppError
    ? { ok: false, code: outcome.code, message: outcome.message }
    : outcome;
}

interface Outcome<Value> {
  readonly id: string;
  /** Null when it failed. */
  readonly value: Value | null;
  readonly result: ReturnType<typeof resultOf>;
}

/**
 * Does the same for each id: what fails for one leaves the others alone. Stops when the database is
 * unavailable.
 */
export async function runBatch<Value>(
  { log }: Pick<Deps, "log">,
  ids: readonly string[],
  act: (id: string) => Promise<Value>,
): Promise<readonly Outcome<Value>[]> {
  const outcomes: Outcome<Value>[] = [];
  for (const [index, id] of ids.entries()) {
    try {
      outcomes.push({ id, value: await act(id), result: { ok: true } });
    } catch (error) {
      const failure = toAppError(error);
      if (failure.code === "INTERNAL") log.error({ err: error, id }, "unhandled error in a batch");
      // Each of the remaining ones would wait for the database anew.
      const failedIds = failure.code === "UNAVAILABLE" ? ids.slice(index) : [id];
      outcomes.push(
        ...failedIds.map((failedId) => ({ id: failedId, value: null, result: resultOf(failure) })),
      );
      if (failure.code === "UNAVAILABLE") break;
    }
  }
  return outcomes;
}
