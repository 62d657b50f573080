import type { Clock } from "../clock.ts";

const PERIOD_SECONDS = 3_600;
/** Of one period: anybody can send any number of origins. */
const MAX_WARNINGS = 20;

/** Lets the log say the same thing once an hour, and only so many different things in one. */
export class WarningLimit {
  readonly #clock: Clock;
  /** When each was said. */
  readonly #said = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether it may be said now; notes that it is. */
  take(subject: string): boolean {
    const now = this.#clock.now();
    for (const [each, at] of this.#said) {
      // A clock that was set back silences nothing for longer.
      if (Math.abs(now - at) >= PERIOD_SECONDS) this.#said.delete(each);
    }
    if (this.#said.has(subject) || this.#said.size >= MAX_WARNINGS) return false;

    this.#said.set(subject, now);
    return true;
  }
}
