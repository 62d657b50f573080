import { type CallCounter, createCallCounter } from "./call-rules.ts";
import type { CallMatch } from "./faults.ts";

/** Freezes calls until they are released, so that a test can look at the middle of a sync without sleeping. */
export interface HoldGate {
  /** Calls that match from now on wait. Several holds add up. */
  hold(match: CallMatch): void;
  /** Lets the `count` oldest waiting calls go and keeps holding; without `count` lets all go and stops holding. */
  release(count?: number): number;
  /** Calls waiting now. */
  held(): number;
  /** Resolves as soon as at least `count` calls are waiting. */
  waitForHeld(count: number, signal: AbortSignal): Promise<void>;
  /** Passes at once, or waits for its release. @throws the signal's reason */
  pass(params: ReadonlyMap<string, string>, signal: AbortSignal): Promise<void>;
}

export function createHoldGate(): HoldGate {
  let matchers: CallCounter[] = [];
  const waiting = new Set<() => void>();
  const watchers = new Set<() => void>();

  return {
    hold: (match) => {
      matchers.push(createCallCounter(match));
    },
    release: (count) => {
      if (count === undefined) matchers = [];
      const freed = [...waiting].slice(0, count);
      for (const go of freed) go();
      return freed.length;
    },
    held: () => waiting.size,
    waitForHeld: (count, signal) =>
      waitUntil((settle) => {
        const look = () => {
          if (waiting.size >= count) settle();
        };
        watchers.add(look);
        look();
        return () => watchers.delete(look);
      }, signal),
    pass: async (params, signal) => {
      // every matcher has to count the call, so no short cut
      const isHeld = matchers.filter((matcher) => matcher(params) !== undefined).length > 0;
      if (!isHeld) return;
      await waitUntil((settle) => {
        waiting.add(settle);
        for (const look of [...watchers]) look();
        return () => waiting.delete(settle);
      }, signal);
    },
  };
}

/** @param start is given the function that ends the waiting, and returns the clean-up for both ways out */
async function waitUntil(start: (settle: () => void) => () => void, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  const cleanUp = start(resolve);
  try {
    await promise;
  } finally {
    cleanUp();
    signal.removeEventListener("abort", abort);
  }
}
