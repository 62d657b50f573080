import { isUnanswered } from "@/api/errors";
import { findOut } from "./find-out";
import { answered, checked, type Result, type ResultOutcome } from "./result";

interface SmallBatch<Item extends { readonly id: string }> {
  readonly items: readonly Item[];
  readonly hostOf: (item: Item) => Result["host"];
  /** Resolves with the server's word on an item. */
  readonly send: () => Promise<(item: Item) => Parameters<typeof answered>[0]>;
  /** The ids of the items that are as the call was to make them; read when its answer is lost. */
  readonly readDone: () => Promise<ReadonlySet<string>>;
}

/** An act on items that one call takes: what became of each, also when the answer was lost. */
export async function sendBatch<Item extends { readonly id: string }>({
  items,
  hostOf,
  send,
  readDone,
}: SmallBatch<Item>): Promise<Result[]> {
  const toResults = (outcomeOf: (item: Item) => ResultOutcome) =>
    items.map((item) => ({ id: item.id, host: hostOf(item), ...outcomeOf(item) }));

  try {
    const answerOf = await send();
    return toResults((item) => answered(answerOf(item)));
  } catch (error) {
    if (!isUnanswered(error)) throw error;
  }

  const done = await findOut(readDone, (found) => found?.size === items.length);
  return toResults(({ id }) => checked(done === null ? null : done.has(id)));
}
