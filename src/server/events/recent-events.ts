import type { LoggedEvent } from "./table.ts";

const MAX_COUNT = 1_000;
/** Characters of JSON; an event of a large sync names up to a thousand hosts. */
const MAX_SIZE = 4 * 1024 * 1024;

/** The newest events, in memory once for all subscribers. Whoever needs older ones reads the table. */
export interface RecentEvents {
  add(events: readonly LoggedEvent[]): void;
  /** Forgets everything: from now on it knows only what comes after this id. */
  restart(afterId: number): void;
  /** Up to `limit` events after the id, or null when some of those are no longer here. */
  after(id: number, limit: number): readonly LoggedEvent[] | null;
}

export function createRecentEvents(): RecentEvents {
  let events: LoggedEvent[] = [];
  let size = 0;
  /** Every event after this id is here. */
  let completeAfter = Number.POSITIVE_INFINITY;
  return {
    add(added) {
      events.push(...added);
      for (const event of added) size += event.size;
      let dropped = 0;
      while (events.length - dropped > MAX_COUNT || size > MAX_SIZE) {
        const oldest = events[dropped++];
        if (oldest === undefined) break;
        size -= oldest.size;
        completeAfter = oldest.id;
      }
      if (dropped > 0) events = events.slice(dropped);
    },
    restart(afterId) {
      events = [];
      size = 0;
      completeAfter = afterId;
    },
    after(id, limit) {
      if (id < completeAfter) return null;
      const start = firstAfter(events, id);
      return events.slice(start, start + limit);
    },
  };
}

/** Index of the first event whose id is greater, by bisection. */
function firstAfter(events: readonly LoggedEvent[], id: number): number {
  let low = 0;
  let high = events.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((events[middle]?.id ?? 0) > id) high = middle;
    else low = middle + 1;
  }
  return low;
}
