import { ConsoleLinks, DEFAULT_CONSOLE_LINKS } from "@shared/console-links.ts";
import { isClient } from "@shared/roles.ts";
import { useQuery } from "@tanstack/react-query";
import { BookOpen, Braces, LifeBuoy } from "lucide-react";
import { cn } from "@/lib/cn";
import { useCurrentUser } from "@/session/session";

export function HelpLinks({ className }: { className?: string }) {
  const { role } = useCurrentUser();
  const { support, help } = useConsoleLinks();
  const links = [
    { href: support, label: "技术支持", icon: LifeBuoy },
    { href: help, label: "帮助", icon: BookOpen },
    ...(isClient(role) ? [] : [{ href: "/api/docs", label: "API 文档", icon: Braces }]),
  ];

  return links.map(({ href, label, icon: Icon }) => (
    <a
      key={label}
      href={href}
      target="_blank"
      rel="noreferrer"
      className={cn(
        "flex items-center gap-1.5 rounded-md px-2 text-sm whitespace-nowrap text-muted-foreground hover:bg-accent hover:text-foreground",
        className,
      )}
    >
      <Icon className="size-4" />
      <span>{label}</span>
    </a>
  ));
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
