import { useEffect, useReducer } from "react";
import { onTimeJump, serverNow } from "./server-time";

/**
 * `refetchInterval` of what the server counts by the clock: hosts end without an event, and a
 * console stays open for days.
 */
export const EXPIRY_REFETCH_MS = 5 * 60_000;

/**
 * The server's present in Unix seconds, drawn anew at least every `everyMs`: a second for what
 * ticks, a minute for what says "in 3 days".
 */
export function useNow(everyMs = 60_000): number {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const timer = setInterval(redraw, everyMs);
    const stopListening = onTimeJump(redraw);

    return () => {
      clearInterval(timer);
      stopListening();
    };
  }, [everyMs]);
  return serverNow();
}
