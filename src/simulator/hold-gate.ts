import { EventEmitter, once } from "node:events";
import { type CallCounter, createCallCounter } from "./call-rules.ts";
import type { CallMatch } from "./faults.ts";

export type HoldGate = ReturnType<typeof createHoldGate>;

/** Holds calls until they are released. */
export function createHoldGate() {
  let rules: CallCounter[] = [];
  const held = new Set<EventEmitter>();
  const arrivals = new EventEmitter().setMaxListeners(0);

  return {
    /** Holds matching calls from now on, in addition to earlier rules. */
    hold: (match: CallMatch): void => {
      rules.push(createCallCounter(match));
    },
    /**
     * Releases the oldest `count` calls; without `count` releases all and removes the rules.
     * @returns how many
     */
    release: (count?: number): number => {
      if (count === undefined) rules = [];
      const released = [...held].slice(0, count);
      for (const call of released) {
        held.delete(call);
        call.emit("release");
      }
      return released.length;
    },
    /** The number of held calls. */
    held: (): number => held.size,
    /** Resolves when at least `count` calls are held. */
    waitForHeld: async (count: number, signal: AbortSignal): Promise<void> => {
      while (held.size < count) await once(arrivals, "held", { signal });
    },
    /** Resolves at once or when the call is released. */
    pass: async (params: ReadonlyMap<string, string>, signal: AbortSignal): Promise<void> => {
      // Every rule has to count the call.
      const hits = rules.filter((rule) => rule(params) !== undefined);
      if (hits.length === 0) return;
      const call = new EventEmitter();
      held.add(call);
      arrivals.emit("held");
      try {
        await once(call, "release", { signal });
      } finally {
        held.delete(call);
      }
    },
  };
}
