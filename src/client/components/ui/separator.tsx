import { cn } from "@/lib/cn";

type SeparatorProps = { orientation?: "horizontal" | "vertical"; className?: string };

/** A line for the eye; it carries no meaning. */
export function Separator({ orientation = "horizontal", className }: SeparatorProps) {
  return (
    <div
      aria-hidden="true"
      className={cn(
        "shrink-0 bg-border",
        orientation === "horizontal" ? "h-px w-full" : "w-px self-stretch",
        className,
      )}
    />
  );
}
