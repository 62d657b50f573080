import { ConsoleLinks, DEFAULT_CONSOLE_LINKS } from "@shared/console-links.ts";
import { useQuery } from "@tanstack/react-query";

/** What the operator has set on the server. The defaults until the server's word is here, and when it does not come. */
export function useConsoleLinks(): ConsoleLinks {
  const { data } = useQuery({
    queryKey: ["console-links"],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const response = await fetch("/console.json", { signal });
      return ConsoleLinks.parse(await response.json());
    },
  });
  return data ?? DEFAULT_CONSOLE_LINKS;
}
