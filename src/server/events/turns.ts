interface Waiter {
  readonly deliveries: number;
  readonly resume: () => void;
}

/**
 * Shares the event loop between streams and everything else: in one turn of the loop all streams together deliver about so much, the
 * others in later ones, first come, first served. What is ready at once would otherwise keep the loop until all of it was sent.
 */
export interface Turns {
  /** Resolves when so much may be delivered; null when it may at once. */
  take(deliveries: number): Promise<void> | null;
}

export function createTurns(deliveriesPerTurn: number): Turns {
  /** What this turn still bears; the last one to be let in may take more. */
  let left = deliveriesPerTurn;
  let waiting: Waiter[] = [];
  let isCounting = false;

  function nextTurn(): void {
    left = deliveriesPerTurn;
    let called = 0;
    for (const { deliveries, resume } of waiting) {
      if (left <= 0) break;
      left -= deliveries;
      called += 1;
      resume();
    }
    waiting = waiting.slice(called);
    isCounting = called > 0;
    if (isCounting) setImmediate(nextTurn);
  }

  return {
    take(deliveries) {
      if (!isCounting) setImmediate(nextTurn);
      isCounting = true;
      if (left <= 0) return new Promise((resume) => waiting.push({ deliveries, resume }));
      left -= deliveries;
      return null;
    },
  };
}
