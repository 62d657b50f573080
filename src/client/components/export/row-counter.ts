const QUOTE = 0x22;
const LINE_FEED = 0x0a;

/**
 * Counts the lines of a CSV file as its bytes arrive; the first is the header. A line feed inside
 * of a quoted cell ends no line. A cell of UTF-8 holds these two bytes for nothing else.
 */
export class RowCounter {
  #isQuoted = false;
  #lines = 0;

  get rows(): number {
    return Math.max(0, this.#lines - 1);
  }

  add(bytes: Uint8Array): void {
    for (const byte of bytes) {
      if (byte === QUOTE) this.#isQuoted = !this.#isQuoted;
      else if (byte === LINE_FEED && !this.#isQuoted) this.#lines += 1;
    }
  }
}
