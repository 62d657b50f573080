import { Dialog as RadixDialog } from "radix-ui";
import type { ComponentProps } from "react";
import { cn } from "@/lib/cn";
import { focusFirstField } from "./dialog";
import { RememberOpener, useOpener } from "./opener";
import { overlayLook } from "./overlay-look";

export const Sheet = RadixDialog.Root;
export const SheetTrigger = RadixDialog.Trigger;
export const SheetClose = RadixDialog.Close;

const sides = {
  left: "inset-y-0 left-0 border-r data-[state=open]:animate-from-left data-[state=closed]:animate-to-left",
  right: "inset-y-0 right-0 border-l data-[state=open]:animate-from-right data-[state=closed]:animate-to-right",
  bottom:
    "inset-x-0 bottom-0 max-h-[88dvh] rounded-t-md border-t data-[state=open]:animate-from-bottom data-[state=closed]:animate-to-bottom",
} as const;

const widths = {
  sm: "w-[min(18rem,calc(100vw-3rem))]",
  md: "w-[min(28rem,100vw)]",
  lg: "w-[min(40rem,100vw)]",
} as const;

type SheetContentProps = ComponentProps<typeof RadixDialog.Content> & {
  side?: keyof typeof sides;
  /** Of the left and right ones. */
  size?: keyof typeof widths;
};

/** A drawer. Takes `DialogHeader`, `DialogBody`, `DialogFooter` and `DialogForm` inside. */
export function SheetContent({ side = "right", size = "md", className, children, ...rest }: SheetContentProps) {
  const { opener, onCloseAutoFocus } = useOpener();
  return (
    <RadixDialog.Portal>
      <RadixDialog.Overlay className={overlayLook} />
      <RadixDialog.Content
        onOpenAutoFocus={focusFirstField}
        onCloseAutoFocus={onCloseAutoFocus}
        className={cn(
          "fixed z-50 flex flex-col overflow-hidden bg-popover text-popover-foreground shadow-lg outline-none",
          sides[side],
          side !== "bottom" && widths[size],
          className,
        )}
        {...rest}
      >
        <RememberOpener opener={opener} />
        {children}
      </RadixDialog.Content>
    </RadixDialog.Portal>
  );
}
