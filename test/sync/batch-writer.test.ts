import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import { createBatchWriter } from "../../src/server/sync/run/batch-writer.ts";

/** Writes stop until they are released one by one. */
function controlledWrites() {
  const batches: (readonly number[])[] = [];
  const waiting: PromiseWithResolvers<void>[] = [];
  let isOpen = false;
  return {
    batches,
    async write(batch: readonly number[]): Promise<void> {
      batches.push(batch);
      if (isOpen) return;
      const released = Promise.withResolvers<void>();
      waiting.push(released);
      await released.promise;
    },
    fail: (error: Error) => waiting.shift()?.reject(error),
    releaseAll() {
      isOpen = true;
      for (const released of waiting.splice(0)) released.resolve();
    },
  };
}

const numbers = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i);

async function isPending(promise: Promise<unknown>): Promise<boolean> {
  let isSettled = false;
  promise.finally(() => (isSettled = true)).catch(() => undefined);
  await nextTurn();
  return !isSettled;
}

it("has written every item in order after flush, at most 500 at once, and goes on after an empty add", async () => {
  const batches: (readonly number[])[] = [];
  const writer = createBatchWriter<number>(async (batch) => {
    await nextTurn();
    batches.push(batch);
  });
  await writer.add([]);
  await writer.flush();
  for (let from = 0; from < 2_000; from += 100) await writer.add(numbers(from, 100));
  await writer.flush();
  expect(batches.flat()).toEqual(numbers(0, 2_000));
  expect(Math.max(...batches.map(({ length }) => length))).toBeLessThanOrEqual(500);
});

it("writes one batch at a time", async () => {
  const { write, batches, releaseAll } = controlledWrites();
  const writer = createBatchWriter(write);
  await writer.add([1]);
  await writer.add([2, 3]);
  expect(batches).toEqual([[1]]);
  const flushed = writer.flush();
  expect(await isPending(flushed)).toBe(true);
  releaseAll();
  await flushed;
  expect(batches).toEqual([[1], [2, 3]]);
});

it("lets add wait while more than 1000 items are not written", async () => {
  const { write, releaseAll } = controlledWrites();
  const writer = createBatchWriter(write);
  await writer.add(numbers(0, 500));
  await writer.add(numbers(500, 1_000));
  const waiting = writer.add([1_500]);
  expect(await isPending(waiting)).toBe(true);
  releaseAll();
  await waiting;
});

it("reports a failed write at every later flush and writes nothing more", async () => {
  const { write, batches, fail } = controlledWrites();
  const writer = createBatchWriter(write);
  await writer.add([1]);
  const failure = new Error("the database is unavailable");
  fail(failure);
  await nextTurn();
  await writer.add([2]);
  await expect(writer.flush()).rejects.toBe(failure);
  await expect(writer.flush()).rejects.toBe(failure);
  expect(batches).toEqual([[1]]);
});
