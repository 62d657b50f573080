import type { Deps } from "./deps.ts";
import type { AppError } from "./errors.ts";
import { toAppError } from "./failures.ts";

interface Result {
  readonly ok: boolean;
  readonly code?: AppError["code"];
  readonly message?: string;
}

interface Outcome<Value> {
  readonly id: string;
  /** Null when it failed. */
  readonly value: Value | null;
  readonly result: Result;
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
      if (failure.code === "UNAVAILABLE") {
        // Each of the remaining ones would wait for the database anew.
        const remaining = ids.slice(index).map((left) => failedOutcome(left, failure));
        return [...outcomes, ...remaining];
      }
      outcomes.push(failedOutcome(id, failure));
    }
  }
  return outcomes;
}

function failedOutcome(id: string, { code, message }: AppError): Outcome<never> {
  return { id, value: null, result: { ok: false, code, message } };
}
