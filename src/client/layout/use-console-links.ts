import { useQuery } from "@tanstack/react-query";
import { z } from "zod";

/** Where 技术支持 and 帮助 lead; the operator sets them on the server. */
const ConsoleLinks = z.object({ support: z.url(), help: z.url() });
type ConsoleLinks = z.infer<typeof ConsoleLinks>;

const DEFAULT_LINKS: ConsoleLinks = {
  support: "https://www.ucloud.cn/site/support.html",
  help: "https://docs.ucloud.cn/uhost/README",
};

/** The defaults until the server's word is here, and when it does not come. */
export function useConsoleLinks(): ConsoleLinks {
  const { data } = useQuery({
    queryKey: ["console-links"],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const response = await fetch("/console.json", { signal });
      return ConsoleLinks.parse(await response.json());
    },
  });
  return data ?? DEFAULT_LINKS;
}
