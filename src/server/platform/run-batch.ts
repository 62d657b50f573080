import type { Deps } from "./deps.ts";
import type { AppError } from "./errors.ts";
import { toAppError } from "./failures.ts";

/** Both are UNAVAILABLE: what was under way may have been stored when the database was lost. */
const OUTCOME_UNKNOWN = "结果未知：服务暂时不可用，操作可能已经完成，请刷新核对后再决定是否重试";
const NOT_TRIED = "没有执行：服务暂时不可用，请稍后重试";

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
 * unavailable, and says of each id whether it was tried.
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
        const rest = ids.slice(index + 1).map((left) => unavailableOutcome(left, NOT_TRIED));
        return [...outcomes, unavailableOutcome(id, OUTCOME_UNKNOWN), ...rest];
      }
      outcomes.push(failedOutcome(id, failure));
    }
  }
  return outcomes;
}

function unavailableOutcome(id: string, message: string): Outcome<never> {
  return failedOutcome(id, { code: "UNAVAILABLE", message });
}

function failedOutcome(
  id: string,
  { code, message }: Pick<AppError, "code" | "message">,
): Outcome<never> {
  return { id, value: null, result: { ok: false, code, message } };
}
