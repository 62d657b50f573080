import { expect } from "vitest";
import { connectBeside, waitsForLock } from "../harness/database.ts";
import { eventually } from "../harness/stage.ts";
import type { TestStorage } from "../harness/storage.ts";

/** Takes a lock on the PostgreSQL server with this statement, until it is released or disposed. */
export async function holdLock({ env }: TestStorage, statement: string) {
  const holder = await connectBeside({ connection: { kind: "server", url: env.DATABASE_URL ?? "" } });
  await holder.query("begin");
  await holder.query(statement);
  return {
    /** Resolves when another session waits for a lock. */
    awaited: () => eventually(async () => expect(await waitsForLock(holder)).toBe(true)),
    release: () => holder.query("commit"),
    [Symbol.asyncDispose]: () => holder[Symbol.asyncDispose](),
  };
}
