import { Tooltip as RadixTooltip } from "radix-ui";
import type { ComponentProps, ReactElement, ReactNode } from "react";
import { cn } from "@/lib/cn";

type TooltipProps = {
  content: ReactNode;
  /** One focusable element; its own accessible name must not depend on the tooltip. */
  children: ReactElement;
  side?: ComponentProps<typeof RadixTooltip.Content>["side"];
  className?: string;
};

/** Brings its own provider, so it works anywhere. Nothing may be said here alone: touch never shows it. */
export function Tooltip({ content, children, side = "top", className }: TooltipProps) {
  return (
    <RadixTooltip.Provider delayDuration={300}>
      <RadixTooltip.Root>
        <RadixTooltip.Trigger asChild>{children}</RadixTooltip.Trigger>
        <RadixTooltip.Portal>
          <RadixTooltip.Content
            data-slot="tooltip-content"
            {...(side === undefined ? {} : { side })}
            sideOffset={6}
            collisionPadding={8}
            className={cn(
              "z-60 max-w-72 origin-(--radix-tooltip-content-transform-origin) rounded-sm bg-foreground px-2 py-1 text-xs text-background shadow-md data-[state=closed]:animate-fade-out data-[state=delayed-open]:animate-pop-in data-[state=instant-open]:animate-none",
              className,
            )}
          >
            {content}
          </RadixTooltip.Content>
        </RadixTooltip.Portal>
      </RadixTooltip.Root>
    </RadixTooltip.Provider>
  );
}
