import type { ComponentProps } from "react";
import { cn } from "@/lib/cn";

/** A box that scrolls by the browser's own thin bar and can be reached by keyboard. Needs an `aria-label`. */
export function ScrollArea({ className, ...rest }: ComponentProps<"div"> & { "aria-label": string }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a section would become a landmark of the page
    <div
      role="group"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
      tabIndex={0}
      className={cn("min-h-0 overflow-y-auto overscroll-contain focus-visible:-outline-offset-2", className)}
      {...rest}
    />
  );
}
