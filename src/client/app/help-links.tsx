import { ConsoleLinks, DEFAULT_CONSOLE_LINKS } from "@shared/console-links.ts";
import { isClient } from "@shared/roles.ts";
import { useQuery } from "@tanstack/react-query";
import { BookOpen, Braces, LifeBuoy } from "lucide-react";
import { cn } from "@/lib/cn";
import { useCurrentUser } from "@/session/session";

/** Links that open in a new tab. */
export function HelpLinks({ className }: { className?: string }) {
  const { role } = useCurrentUser();
  const { support, help } = useConsoleLinks();
  const classes = cn(
    "flex items-center gap-1.5 rounded-md px-2 text-sm whitespace-nowrap text-muted-foreground hover:bg-accent hover:text-foreground",
    className,
  );
  return (
    <>
      <a href={support} target="_blank" rel="noreferrer" className={classes}>
        <LifeBuoy aria-hidden="true" className="size-4" />
        技术支持
      </a>
      <a href={help} target="_blank" rel="noreferrer" className={classes}>
        <BookOpen aria-hidden="true" className="size-4" />
        帮助
      </a>
      {isClient(role) ? null : (
        <a href="/api/docs" target="_blank" rel="noreferrer" className={classes}>
          <Braces aria-hidden="true" className="size-4" />
          API 文档
        </a>
      )}
    </>
  );
}

/** The operator's settings; the defaults until they are loaded. */
function useConsoleLinks(): ConsoleLinks {
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
