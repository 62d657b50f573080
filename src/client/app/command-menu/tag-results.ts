import type { HostTag } from "@shared/annotations.ts";
import { formatNumber } from "@/lib/format-number";
import type { FoundRow } from "./found-group";
import { matches } from "./matches";

const SHOWN = 5;

/** The tags with this in their name, the most used ones; each leads to its hosts. */
export function tagResults(tags: readonly HostTag[], search: string): FoundRow[] {
  const found = tags.filter(({ tag }) => matches(search, tag));
  return found.slice(0, SHOWN).map(({ tag, count }) => ({
    id: `tag:${tag}`,
    name: tag,
    details: null,
    trailing: `${formatNumber(count)} 台主机`,
    href: `/hosts?${new URLSearchParams({ tag })}`,
  }));
}
