import { tagKey } from "@shared/annotations.ts";

interface TagEdit {
  /** When the edit began. */
  readonly before: readonly string[];
  readonly edited: readonly string[];
  /** By now: somebody else may have changed them meanwhile. */
  readonly stored: readonly string[];
}

/** The stored tags with what the edit added and without what it removed: nobody's change is lost. */
export function mergeTags({ before, edited, stored }: TagEdit): string[] {
  // By their spelling, so that another one in the place of a tag is an edit as well.
  const removed = before.filter((tag) => !edited.includes(tag));
  const added = edited.filter((tag) => !before.includes(tag));
  const kept = without(stored, removed);

  return [...kept, ...without(added, kept)];
}

/** In whatever case they are written. */
function without(tags: readonly string[], others: readonly string[]): string[] {
  const keys = new Set(others.map(tagKey));
  return tags.filter((tag) => !keys.has(tagKey(tag)));
}
