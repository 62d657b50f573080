import type { Notice } from "@shared/notices.ts";

/** So many names have room in one line. */
const MAX_NAMES = 2;

interface FirstHostNames {
  readonly names: readonly string[];
  /** How many hosts it is about; null where all of them are named. */
  readonly total: number | null;
}

/**
 * The hosts of a notice in one line: `web-01、web-02 等 11 台`. Null for a notice about none, or
 * about such as its reader no longer sees.
 */
export function firstHostNames({
  items,
  hostCount,
}: Pick<Notice, "items" | "hostCount">): FirstHostNames | null {
  const names = items.slice(0, MAX_NAMES).map(({ hostName }) => hostName);
  if (names.length === 0) return null;

  return { names, total: hostCount > names.length ? hostCount : null };
}
