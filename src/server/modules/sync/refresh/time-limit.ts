import { ProviderFailure } from "../../../provider/failure.ts";

/** All calls together: the console waits 30 s. */
const TOTAL_TIMEOUT_MS = 25_000;

interface TimeLimit extends Disposable {
  readonly signal: AbortSignal;
}

/** Aborts when the time of a call is up; it fails what waits for the provider with that reason. */
export function startTimeLimit(): TimeLimit {
  const time = new AbortController();
  const timer = setTimeout(() => time.abort(new ProviderFailure("timeout")), TOTAL_TIMEOUT_MS);
  return { signal: time.signal, [Symbol.dispose]: () => clearTimeout(timer) };
}
