import { DAY_SECONDS } from "../../../shared/time.ts";
import { isFromFuture } from "../../platform/clock.ts";

const FIRST_WAIT = 60;
/** The longest wait before another try, and the longest pause of a channel. Seconds. */
export const LONGEST_WAIT = 3_600;
/** After so many seconds a message is not sent any more. */
export const RETRIED_FOR = DAY_SECONDS;

/** Seconds before the try after this one, which counts from 1: a minute, two, four … an hour. */
export function waitAfter(attempts: number): number {
  return Math.min(FIRST_WAIT * 2 ** (attempts - 1), LONGEST_WAIT);
}

/**
 * Whether no further try comes: the next one would be more than a day after the message was queued.
 * A clock that was ahead then would put that off for as long as it was.
 */
export function isLastTry(createdAt: number, nextAttemptAt: number, now: number): boolean {
  return nextAttemptAt > createdAt + RETRIED_FOR || isFromFuture(createdAt, now);
}
