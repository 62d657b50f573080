import { BookOpen, Braces, LifeBuoy } from "lucide-react";
import { cn } from "@/lib/cn";
import { useConsoleLinks } from "./use-console-links";

/** What opens beside the console. */
export function HelpLinks({ className }: { className?: string }) {
  const { support, help } = useConsoleLinks();
  const look = cn(
    "flex items-center gap-1.5 rounded-md px-2 text-sm whitespace-nowrap text-muted-foreground hover:bg-accent hover:text-foreground",
    className,
  );
  return (
    <>
      <a href={support} target="_blank" rel="noreferrer" className={look}>
        <LifeBuoy aria-hidden="true" className="size-4" />
        技术支持
      </a>
      <a href={help} target="_blank" rel="noreferrer" className={look}>
        <BookOpen aria-hidden="true" className="size-4" />
        帮助
      </a>
      <a href="/api/docs" target="_blank" rel="noreferrer" className={look}>
        <Braces aria-hidden="true" className="size-4" />
        API 文档
      </a>
    </>
  );
}
