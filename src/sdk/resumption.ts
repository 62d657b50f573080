import type { ErrorCode } from "../shared/errors.ts";
import { reconnectDelay, STABLE_MS } from "./socket.ts";

/** What one subscription knows of its own failures. */
export interface Resumption {
  /** Something came. */
  heard(): void;
  /** After how many milliseconds to begin anew; null: it is over. */
  delayAfter(code: ErrorCode | null): number | null;
}

/** A server that cannot serve now will later; a bug may have been one of the moment, and is asked once more; nothing else mends itself. */
export function createResumption(): Resumption {
  let failures = 0;
  let bugs = 0;
  let heardSince: number | null = null;
  return {
    heard() {
      heardSince ??= Date.now();
    },
    delayAfter(code) {
      if (heardSince !== null && Date.now() - heardSince >= STABLE_MS) {
        failures = 0;
        bugs = 0;
      }
      heardSince = null;
      if (code === "INTERNAL") bugs += 1;
      else if (code !== "UNAVAILABLE") return null;
      failures += 1;
      return bugs > 1 ? null : reconnectDelay(failures);
    },
  };
}
