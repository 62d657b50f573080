import { Popover as RadixPopover } from "radix-ui";
import { type ComponentProps, createContext, use } from "react";
import { cn } from "@/lib/cn";

/**
 * What everything that floats above the page shares: menus, lists of options, popovers. Drawn in
 * place, it would take over the alignment of a table's cell.
 */
export const floatingClass =
  "z-50 overflow-hidden rounded-md border bg-popover text-left text-popover-foreground shadow-md outline-none data-[state=open]:animate-fade-in data-[state=closed]:animate-fade-out";

/** One row in a menu or list of options. */
export const itemClass = [
  "relative flex min-h-8 cursor-default items-center gap-2 rounded-sm px-2 py-1 text-base outline-none select-none max-md:min-h-10",
  "data-highlighted:bg-accent data-highlighted:text-accent-foreground data-[selected=true]:bg-accent",
  // Radix writes data-disabled="", cmdk "true" and "false".
  "data-[disabled='']:pointer-events-none data-[disabled='']:opacity-50 data-[disabled=true]:pointer-events-none data-[disabled=true]:opacity-50",
  "[&_svg]:size-4 [&_svg]:shrink-0 [&_svg:not([class*='text-'])]:text-muted-foreground",
].join(" ");

export const Popover = RadixPopover.Root;
export const PopoverTrigger = RadixPopover.Trigger;
/** What it stands at where nothing opens it by a click. */
export const PopoverAnchor = RadixPopover.Anchor;

/** Whether this is drawn inside of a popover. */
const InPopover = createContext(false);

/**
 * As wide as its trigger. A dialog to screen readers: give it an `aria-label`. Drawn in place, like
 * the menus; one inside of another, which would clip it, at the end of the page.
 */
export function PopoverContent({
  className,
  ...rest
}: ComponentProps<typeof RadixPopover.Content>) {
  const isNested = use(InPopover);
  const content = (
    <InPopover value={true}>
      <RadixPopover.Content
        data-slot="popover-content"
        sideOffset={4}
        align="start"
        collisionPadding={8}
        className={cn(
          floatingClass,
          "w-(--radix-popover-trigger-width) max-w-[calc(100vw-1rem)] min-w-64 origin-(--radix-popover-content-transform-origin)",
          className,
        )}
        {...rest}
      />
    </InPopover>
  );
  return isNested ? <RadixPopover.Portal>{content}</RadixPopover.Portal> : content;
}
