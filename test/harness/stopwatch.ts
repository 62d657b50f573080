/** How often it looks at the time, in ms. */
const TICK_MS = 20;
/** A longer time between two looks is one in which the process stood still, in ms. */
const LONGEST_TICK_MS = 100;

/**
 * The time that a test waits, in ms. When the machine is busy, the process may stand still for
 * seconds: its timers and those of the server in it then come late, and that is not counted.
 */
export class Stopwatch implements Disposable {
  readonly #timer = setInterval(() => this.#look(), TICK_MS);
  #lookedAt = performance.now();
  #passed = 0;

  read(): number {
    this.#look();
    return this.#passed;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const present = performance.now();
    this.#passed += Math.min(present - this.#lookedAt, LONGEST_TICK_MS);
    this.#lookedAt = present;
  }
}
