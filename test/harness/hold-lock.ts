import { vi } from "vitest";
import { connectBeside, type TestDatabase, waitsForLock } from "./database.ts";

/** Takes a lock with this statement in a transaction of its own, until it is released or disposed. */
export async function holdLock(
  database: Pick<TestDatabase, "connection">,
  statement: string,
  parameters: readonly unknown[] = [],
) {
  const holder = await connectBeside(database);
  await holder.query("begin");
  await holder.query(statement, parameters);
  return {
    /** Runs a statement in the transaction that holds the lock. */
    query: holder.query,
    /** Resolves when another session waits for a lock. */
    awaited: () => vi.waitUntil(() => waitsForLock(holder), { interval: 5, timeout: 10_000 }),
    /** Commits the transaction. */
    release: () => holder.query("commit"),
    [Symbol.asyncDispose]: () => holder[Symbol.asyncDispose](),
  };
}
