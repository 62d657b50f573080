import { Dialog as RadixDialog } from "radix-ui";
import type { ComponentProps } from "react";
import { ModalContent } from "@/components/ui/dialog";
import { cn } from "@/lib/cn";

export const Sheet = RadixDialog.Root;
export const SheetTrigger = RadixDialog.Trigger;
export const SheetClose = RadixDialog.Close;

const sides = {
  left: "inset-y-0 left-0 border-r [--edge:-100%_0]",
  right: [
    "right-0 bottom-0 max-sm:h-(--below-toast) max-sm:rounded-t-md max-sm:border-t sm:top-0 sm:border-l",
    "[--edge:0_100%] sm:[--edge:100%_0]",
  ],
  bottom: "inset-x-0 bottom-0 max-h-(--below-toast) rounded-t-md border-t [--edge:0_100%]",
} as const;

const widths = {
  sm: "w-[min(18rem,calc(100vw-3rem))]",
  md: "w-full sm:w-112",
  lg: "w-full sm:w-160",
} as const;

type SheetContentProps = ComponentProps<typeof RadixDialog.Content> & {
  side?: keyof typeof sides;
  /** Of the left and right ones. */
  size?: keyof typeof widths;
};

/**
 * A drawer; on phones the right one comes from below, as dialogs do. Takes `DialogHeader`,
 * `DialogBody` and `DialogFooter` inside.
 */
export function SheetContent({
  side = "right",
  size = "md",
  children,
  ...rest
}: SheetContentProps) {
  return (
    <ModalContent
      data-slot="sheet-content"
      data-sheet={side}
      className={cn(
        "data-[state=closed]:animate-slide-out data-[state=open]:animate-slide-in",
        sides[side],
        side !== "bottom" && widths[size],
      )}
      {...rest}
    >
      {children}
    </ModalContent>
  );
}
