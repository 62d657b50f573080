export interface Wake {
  /** Ends the wait under way, or the next one if nobody waits now. Any number of calls count as one. */
  wake(): void;
  /** Waits for `wake`, or for so many milliseconds. One waiter at a time. */
  wait(ms?: number): Promise<void>;
}

/** A bell for one loop: what rings while the loop is busy is heard when it comes back. */
export function createWake(): Wake {
  let isRung = false;
  let resume: (() => void) | undefined;
  return {
    wake() {
      isRung = true;
      resume?.();
    },
    async wait(ms) {
      if (!isRung) {
        const rung = Promise.withResolvers<void>();
        resume = rung.resolve;
        const timer = ms === undefined ? undefined : setTimeout(rung.resolve, ms);
        await rung.promise;
        clearTimeout(timer);
        resume = undefined;
      }
      isRung = false;
    },
  };
}
