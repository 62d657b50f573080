import { Popover as RadixPopover } from "radix-ui";
import type { ComponentProps } from "react";
import { cn } from "@/lib/cn";
import { floatingLook } from "./menu-look";

export const Popover = RadixPopover.Root;
export const PopoverTrigger = RadixPopover.Trigger;
export const PopoverAnchor = RadixPopover.Anchor;

/** A dialog to screen readers: give it an `aria-label`. Drawn in place, like the menus. */
export function PopoverContent({
  className,
  sideOffset = 4,
  align = "start",
  ...rest
}: ComponentProps<typeof RadixPopover.Content>) {
  return (
    <RadixPopover.Content
      data-slot="popover-content"
      sideOffset={sideOffset}
      align={align}
      collisionPadding={8}
      className={cn(
        floatingLook,
        "w-72 max-w-[calc(100vw-1rem)] origin-(--radix-popover-content-transform-origin) p-4",
        className,
      )}
      {...rest}
    />
  );
}
