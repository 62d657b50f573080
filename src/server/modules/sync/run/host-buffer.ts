import type { SeenHost } from "../host-store.ts";

/** Enough that neither side waits for a single page or batch of the other; some megabytes. */
const CAPACITY = 5_000;
const BATCH_SIZE = 500;

/**
 * Hosts on their way from the provider to the database. Both are slow, and neither should wait for
 * the other: pages are put in while batches are written, one after the other.
 *
 * When the database falls behind, `add` waits until there is room, and so do the pages and calls
 * behind it. A batch that cannot be written ends the buffer: what waits is dropped, `onFailure`
 * hears of it at once, and whoever adds or drains gets the error.
 */
export class HostBuffer {
  readonly #write: (batch: readonly SeenHost[]) => Promise<void>;
  readonly #onFailure: (error: unknown) => void;
  readonly #waiting: SeenHost[] = [];
  #batch: Promise<void> = Promise.resolve();
  #written: Promise<void> = Promise.resolve();
  #isWriting = false;
  #failure: { readonly error: unknown } | null = null;

  constructor(
    write: (batch: readonly SeenHost[]) => Promise<void>,
    onFailure: (error: unknown) => void,
  ) {
    this.#write = write;
    this.#onFailure = onFailure;
  }

  async add(hosts: readonly SeenHost[]): Promise<void> {
    this.#throwFailure();
    this.#waiting.push(...hosts);
    if (!this.#isWriting) this.#written = this.#writeWaiting();
    while (this.#waiting.length > CAPACITY) await this.#batch;
  }

  /** Waits until all that was added is written. */
  async drain(): Promise<void> {
    await this.#written;
    this.#throwFailure();
  }

  async #writeWaiting(): Promise<void> {
    this.#isWriting = true;
    try {
      while (this.#waiting.length > 0) {
        this.#batch = this.#write(this.#waiting.splice(0, BATCH_SIZE));
        await this.#batch;
      }
    } catch (error) {
      this.#failure = { error };
      this.#waiting.length = 0;
      this.#onFailure(error);
    } finally {
      this.#isWriting = false;
    }
  }

  #throwFailure(): void {
    if (this.#failure !== null) throw this.#failure.error;
  }
}
