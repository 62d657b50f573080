const WINDOW_MS = 60_000;
/** Beyond so many callers a minute nothing more is said: a log that anybody can fill hides what matters. */
const MAX_REMEMBERED = 1_000;

/** True for the first of its kind from an address within a minute. */
export type IsFirstInAMinute = (kind: string, ip: string) => boolean;

export function createOnceAMinute(now: () => number = () => performance.now()): IsFirstInAMinute {
  /** In the order of their times, so that the first is the oldest. */
  const times = new Map<string, number>();
  return (kind, ip) => {
    const present = now();
    for (const [key, time] of times) {
      if (time > present - WINDOW_MS) break;
      times.delete(key);
    }
    const key = `${kind} ${ip}`;
    if (times.has(key) || times.size >= MAX_REMEMBERED) return false;
    times.set(key, present);
    return true;
  };
}
