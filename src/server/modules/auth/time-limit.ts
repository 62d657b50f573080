import { AppError } from "../../platform/errors.ts";

const RETRY_SECONDS = 5;

/**
 * Throws UNAVAILABLE when the work takes longer. It is not stopped: it asks the signal before each
 * step that it would take for nobody. `limitMs` in milliseconds.
 */
export async function withinTimeLimit<Result>(
  limitMs: number,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const time = new AbortController();
  const { promise: isUp, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const failure = new AppError("UNAVAILABLE", undefined, { retryAfter: RETRY_SECONDS });
    time.abort(failure);
    reject(failure);
  }, limitMs);

  try {
    return await Promise.race([work(time.signal), isUp]);
  } finally {
    clearTimeout(timer);
  }
}
