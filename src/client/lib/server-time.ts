/*
 * The console's only clock is the server's: hosts end by it, and a computer's clock may be days
 * ahead or minutes behind. Every answer of the server says its time in the header `Date`, in whole
 * seconds. Between two answers the time runs on with the page's monotonic clock, so that a
 * correction of the computer's clock changes nothing.
 */

/**
 * Beyond this the server's own clock was set back; less is ignored, so that times on the page do
 * not run back.
 */
const SET_BACK_MS = 3_600_000;

/**
 * Server's time minus the page's monotonic clock, in milliseconds; null before the first answer.
 */
let offset: number | null = null;
const listeners = new Set<() => void>();

/** The present in Unix seconds. Before the first answer, as the computer has it. */
export function serverNow(): number {
  const milliseconds = offset === null ? Date.now() : offset + performance.now();
  return Math.floor(milliseconds / 1000);
}

/**
 * Takes the time from an answer to a request that was sent at `sentAt` (of `performance.now()`).
 * The server wrote its `Date` somewhere between then and now and cut off the fraction of the
 * second, so its clock lies within two bounds. The estimate is kept while it agrees with them. It
 * falls behind when the computer sleeps, which stops the page's monotonic clock, and is then moved
 * forward.
 */
export function learnServerTime(response: Response, sentAt: number): void {
  const date = Date.parse(response.headers.get("date") ?? "");
  if (Number.isNaN(date)) return;

  const lower = date - performance.now();
  const upper = date + 1000 - sentAt;
  if (offset !== null && offset >= lower && offset <= upper + SET_BACK_MS) return;

  offset = (lower + upper) / 2;
  for (const listener of listeners) listener();
}

/** Calls `listener` whenever the time has jumped; returns the function that ends that. */
export function onTimeJump(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
