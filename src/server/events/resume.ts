import type { LogBounds } from "./table.ts";

/** Where a stream begins: it sends what comes after `from`. `resumed` says that nothing is missing before that. */
export interface StreamStart {
  readonly from: number;
  readonly resumed: boolean;
}

const EVENT_ID = /^(0|[1-9]\d{0,14})$/;

/**
 * An id can be resumed from when every row after it is still kept. Ids that were rolled back leave holes that look like
 * cleaned rows; then the answer is "not resumed", which costs a refetch and never an event.
 */
export function startOfStream(lastEventId: string | null, bounds: LogBounds): StreamStart {
  const fromNow = { from: bounds.newest, resumed: false };
  if (lastEventId === null || !EVENT_ID.test(lastEventId)) return fromNow;
  const from = Number(lastEventId);
  return from >= bounds.oldest - 1 && from <= bounds.newest ? { from, resumed: true } : fromNow;
}
