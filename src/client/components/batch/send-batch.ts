import { isOutcomeUnknown } from "@/api/errors";
import { findOut } from "./find-out";
import { answered, checked, type ItemAnswer, type Result } from "./result";

type AnswerOf<Item> = (item: Item) => ItemAnswer | undefined;

interface SmallBatch<Item extends { readonly id: string }> {
  readonly items: readonly Item[];
  readonly hostOf: (item: Item) => Result["host"];
  /** Resolves with the server's word on an item. */
  readonly send: () => Promise<AnswerOf<Item>>;
  /** The ids of the items that are as the call was to make them; read while some are unknown. */
  readonly readDone: () => Promise<ReadonlySet<string>>;
}

/** An act on items that one call takes: what became of each, also where no answer says it. */
export async function sendBatch<Item extends { readonly id: string }>({
  items,
  hostOf,
  send,
  readDone,
}: SmallBatch<Item>): Promise<Result[]> {
  const answerOf = await send().catch((error: unknown): AnswerOf<Item> => {
    if (!isOutcomeUnknown(error)) throw error;
    return () => undefined;
  });
  const results = items.map((item) => {
    return { id: item.id, host: hostOf(item), ...answered(answerOf(item)) };
  });
  const open = results.filter(({ outcome }) => outcome === "unknown");
  if (open.length === 0) return results;

  const done = await findOut(readDone, (found) => open.every(({ id }) => found?.has(id)));
  return results.map((result) => {
    if (result.outcome !== "unknown") return result;
    return { ...result, ...checked(done?.has(result.id) ?? null, result.message) };
  });
}
