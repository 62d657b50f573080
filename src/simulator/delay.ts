import { createRandom } from "./random.ts";

/** How long calls take, in ms; can be changed while running. */
export interface Delay {
  next(): number;
  set(latencyMs: number, jitterMs: number): void;
  reset(): void;
}

export function createDelay(seed: number, latencyMs: number, jitterMs: number): Delay {
  const random = createRandom(seed);
  let now = { latencyMs, jitterMs };
  return {
    next: () => now.latencyMs + random.next() * now.jitterMs,
    set: (nextLatency, nextJitter) => {
      now = { latencyMs: nextLatency, jitterMs: nextJitter };
    },
    reset: () => {
      now = { latencyMs, jitterMs };
    },
  };
}
