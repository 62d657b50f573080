/** Runs that one process works on at a time; those that only wait for the provider do not count. */
export const RUNS_AT_ONCE = 4;
/** Runs at a time, whatever they do: each costs a few sockets, and a write a second that says that it is alive. */
const MOST_RUNS = 32;
/** A run that has had nothing to do for so long, in ms, is waiting. */
const IDLE_AFTER = 1_000;
/** Between looks for runs that have begun to wait, in ms. */
const LOOK_INTERVAL = 250;

/** A run's place among those at work. */
export interface Seat {
  /** There was something to do. */
  touch(): void;
}

export interface Seats {
  /** Does the work as soon as there is room, in the order of asking. */
  take<Result>(work: (seat: Seat) => Promise<Result>): Promise<Result>;
  /** How many wait for a seat. */
  waiting(): number;
}

/** Room for so many runs that memory, processor and database bear it, without one provider that hangs holding up the others. */
export function createSeats(): Seats {
  const taken = new Set<{ usedAt: number }>();
  const queue: (() => void)[] = [];
  let looking: NodeJS.Timeout | undefined;

  function hasRoom(): boolean {
    const idleSince = performance.now() - IDLE_AFTER;
    return taken.size < MOST_RUNS && [...taken].filter(({ usedAt }) => usedAt > idleSince).length < RUNS_AT_ONCE;
  }

  function admit(): void {
    clearTimeout(looking);
    while (queue.length > 0 && hasRoom()) queue.shift()?.();
    if (queue.length > 0) looking = setTimeout(admit, LOOK_INTERVAL).unref();
  }

  return {
    async take(work) {
      const seat = { usedAt: 0 };
      const { promise: admitted, resolve } = Promise.withResolvers<void>();
      queue.push(() => {
        seat.usedAt = performance.now();
        taken.add(seat);
        resolve();
      });
      admit();
      await admitted;
      try {
        return await work({
          touch() {
            seat.usedAt = performance.now();
          },
        });
      } finally {
        taken.delete(seat);
        admit();
      }
    },
    waiting: () => queue.length,
  };
}
