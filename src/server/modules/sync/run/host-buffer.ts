import type { SeenHost } from "../host-store.ts";

/** Enough that neither side waits for a single page or batch of the other; some megabytes. */
const CAPACITY = 5_000;
/** Each is a transaction of several statements, however many hosts it has. */
const BATCH_SIZE = 1_000;
const BATCHES_AT_ONCE = 2;

/**
 * Hosts on their way from the provider to the database. Both are slow, and neither should wait for
 * the other: pages are put in while batches are written. Two batches are under way at once, so that
 * one is compared with what is stored while the other is written.
 *
 * When the database falls behind, `add` waits until there is room, and so do the pages and calls
 * behind it. A batch that cannot be written ends the buffer: what waits is dropped, `onFailure`
 * hears of it at once, and whoever adds or drains gets the error.
 */
export class HostBuffer {
  readonly #write: (batch: readonly SeenHost[]) => Promise<void>;
  readonly #onFailure: (error: unknown) => void;
  readonly #waiting: SeenHost[] = [];
  /** None of them rejects. */
  readonly #batches = new Set<Promise<void>>();
  /** How many hosts wait or are being written. */
  #size = 0;
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
    this.#size += hosts.length;
    this.#startBatches();
    while (this.#size > CAPACITY) {
      await Promise.race(this.#batches);
      this.#throwFailure();
    }
  }

  /** Waits until all that was added is written. */
  async drain(): Promise<void> {
    while (this.#batches.size > 0) await Promise.all(this.#batches);
    this.#throwFailure();
  }

  #startBatches(): void {
    while (this.#mayStartBatch()) {
      const batch = this.#writeBatch(this.#waiting.splice(0, BATCH_SIZE)).then(() => {
        this.#batches.delete(batch);
        this.#startBatches();
      });
      this.#batches.add(batch);
    }
  }

  /** A second one only when it is full: the fuller they are, the fewer there are. */
  #mayStartBatch(): boolean {
    if (this.#batches.size === 0) return this.#waiting.length > 0;
    return this.#batches.size < BATCHES_AT_ONCE && this.#waiting.length >= BATCH_SIZE;
  }

  async #writeBatch(batch: readonly SeenHost[]): Promise<void> {
    try {
      await this.#write(batch);
      this.#size -= batch.length;
    } catch (error) {
      this.#failure ??= { error };
      this.#waiting.length = 0;
      this.#onFailure(error);
    }
  }

  #throwFailure(): void {
    if (this.#failure !== null) throw this.#failure.error;
  }
}
