const BATCH_SIZE = 250;
/** `add` waits while more items than this wait to be written. */
const MAX_WAITING = 1_000;

export interface BatchWriter<Item> {
  /** Starts writing at once; items that arrive meanwhile form the next batch. Throws what a write threw. */
  add(items: readonly Item[]): Promise<void>;
  /** Resolves when everything is written. */
  flush(): Promise<void>;
}

/** Writes one batch at a time. */
export function createBatchWriter<Item>(write: (batch: readonly Item[]) => Promise<void>): BatchWriter<Item> {
  const waiting: Item[] = [];
  let isWriting = false;
  let written = Promise.resolve();

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) await write(waiting.splice(0, BATCH_SIZE));
    isWriting = false;
  }

  /** A failed write stays the result of every later call. */
  function start(): Promise<void> {
    if (!isWriting && waiting.length > 0) {
      isWriting = true;
      written = writeAll();
      written.catch(() => undefined);
    }
    return written;
  }

  return {
    async add(items) {
      waiting.push(...items);
      const all = start();
      if (waiting.length > MAX_WAITING) await all;
    },
    flush: start,
  };
}
