import { trpc } from "@/api/trpc";
import type { Suggestion } from "@/components/chips/suggestions";
import { formatNumber } from "@/lib/format-number";

/** The tags that hosts have, the most used ones first. Not for clients. */
export function useTagSuggestions(): readonly Suggestion[] {
  const { data = [] } = trpc.hosts.tags.useQuery();
  return data.map(({ tag, count }) => ({ text: tag, detail: `${formatNumber(count)} 台` }));
}
