const WINDOW_MS = 60_000;
export const MAX_MESSAGES_PER_MINUTE = 120;

/** Counts what one socket sends; `take` is false once there was more than allowed in the last minute. */
export interface MessageRate {
  take(): boolean;
}

export function createMessageRate(now: () => number = () => performance.now()): MessageRate {
  const times: number[] = [];
  return {
    take() {
      const present = now();
      while ((times[0] ?? present) <= present - WINDOW_MS) times.shift();
      if (times.length >= MAX_MESSAGES_PER_MINUTE) return false;
      times.push(present);
      return true;
    },
  };
}
