const BATCH_SIZE = 500;
/** `add` waits while more items than this wait to be written. */
const MAX_WAITING = 1_000;

export interface BatchWriter<Item> {
  /** Starts writing at once; items that arrive meanwhile form the next batch. Throws what a write threw. */
  add(items: readonly Item[]): Promise<void>;
  flush(): Promise<void>;
}

export function createBatchWriter<Item>(write: (batch: readonly Item[]) => Promise<void>): BatchWriter<Item> {
  const waiting: Item[] = [];
  let isWriting = false;
  let batch = Promise.resolve();
  let all = Promise.resolve();

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      batch = write(waiting.splice(0, BATCH_SIZE));
      await batch;
    }
    isWriting = false;
  }

  /** A failed write stays the result of every later call. */
  function start(): Promise<void> {
    if (!isWriting && waiting.length > 0) {
      isWriting = true;
      all = writeAll();
      all.catch(() => undefined);
    }
    return all;
  }

  return {
    async add(items) {
      waiting.push(...items);
      start();
      while (waiting.length > MAX_WAITING) await batch;
    },
    flush: start,
  };
}
