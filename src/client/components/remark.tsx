import { cn } from "@/lib/cn";

/**
 * What a person wrote, with its line breaks. It ends a line of its own or stands in a list of
 * facts, there at the left edge.
 */
export function Remark({ text, className }: { text: string; className?: string }) {
  return (
    <span className={cn("whitespace-pre-wrap [overflow-wrap:anywhere]", className)}>{text}</span>
  );
}
