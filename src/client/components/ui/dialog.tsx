import { X } from "lucide-react";
import { Dialog as RadixDialog } from "radix-ui";
import type { ComponentProps, ReactNode } from "react";
import { cn } from "@/lib/cn";
import { useOpener } from "@/lib/opener";
import { useBack } from "@/lib/use-back";

export const DialogClose = RadixDialog.Close;

/** The browser's back button closes it as well. */
export function Dialog(props: ComponentProps<typeof RadixDialog.Root>) {
  useBack(props.open ?? false, () => props.onOpenChange?.(false));
  return <RadixDialog.Root {...props} />;
}

type ModalContentProps = ComponentProps<typeof RadixDialog.Content>;

/**
 * What dialogs, sheets and the command palette share: the darkened page, the focus, and toasts that
 * stay in reach.
 */
export function ModalContent({
  onOpenAutoFocus = focusFirstField,
  className,
  ...rest
}: ModalContentProps) {
  const { rememberOpener, onCloseAutoFocus } = useOpener();
  return (
    <RadixDialog.Portal>
      <RadixDialog.Overlay className="fixed inset-0 z-50 bg-overlay data-[state=open]:animate-fade-in data-[state=closed]:animate-fade-out print:hidden" />
      <RadixDialog.Content
        onOpenAutoFocus={(event) => {
          rememberOpener();
          onOpenAutoFocus(event);
        }}
        onCloseAutoFocus={onCloseAutoFocus}
        onInteractOutside={(event) => isOnToast(event) && event.preventDefault()}
        className={cn(
          "fixed z-50 flex flex-col overflow-hidden bg-popover text-popover-foreground shadow-lg outline-none",
          "low:block low:overflow-y-auto",
          className,
        )}
        {...rest}
      />
    </RadixDialog.Portal>
  );
}

const sizes = {
  sm: "sm:max-w-sm",
  md: "sm:max-w-lg",
  lg: "sm:max-w-2xl",
  xl: "sm:max-w-4xl",
  "2xl": "sm:max-w-6xl max-sm:h-(--below-toast)",
} as const;

type DialogContentProps = ComponentProps<typeof RadixDialog.Content> & { size: keyof typeof sizes };

/**
 * Header and footer stay, the body between them scrolls; in a low window all of it does. On phones
 * it rises from the bottom edge and leaves the top to a toast. With a form:
 * `<DialogContent><DialogHeader/><form><DialogBody/><DialogFooter/></form></DialogContent>`.
 */
export function DialogContent({ size, ...rest }: DialogContentProps) {
  return (
    <ModalContent
      data-slot="dialog-content"
      className={cn(
        "border",
        "max-sm:inset-x-0 max-sm:bottom-0 max-sm:max-h-(--below-toast) max-sm:rounded-t-md max-sm:border-x-0 max-sm:border-b-0",
        "sm:inset-0 sm:m-auto sm:h-fit sm:max-h-[min(88dvh,56rem)] sm:w-[calc(100%-3rem)] sm:rounded-md",
        "[--edge:0_100%] data-[state=open]:max-sm:animate-slide-in data-[state=closed]:max-sm:animate-slide-out",
        "data-[state=open]:sm:animate-rise-in data-[state=closed]:sm:animate-fade-out",
        sizes[size],
      )}
      {...rest}
    />
  );
}

/** Without a description the dialog's content must speak for itself. */
export function DialogHeader({
  title,
  description,
}: {
  title: ReactNode;
  description?: ReactNode;
}) {
  return (
    <div data-slot="dialog-header" className="flex shrink-0 items-start gap-3 border-b px-5 py-3.5">
      <div className="min-w-0 flex-1">
        <RadixDialog.Title className="text-lg font-semibold">{title}</RadixDialog.Title>
        {description ? (
          <RadixDialog.Description className="mt-0.5 text-sm text-muted-foreground">
            {description}
          </RadixDialog.Description>
        ) : (
          // Radix warns when a dialog has none; an empty one says nothing to nobody.
          <RadixDialog.Description className="sr-only" />
        )}
      </div>
      <RadixDialog.Close
        aria-label="关闭"
        className="-mt-0.5 -mr-1.5 grid size-7 shrink-0 place-items-center rounded-sm text-muted-foreground hover:bg-accent hover:text-foreground"
      >
        <X className="size-4.5" />
      </RadixDialog.Close>
    </div>
  );
}

export function DialogBody({ className, ...rest }: ComponentProps<"div">) {
  return (
    <div
      data-dialog-body=""
      className={cn("min-h-0 flex-1 overflow-y-auto overscroll-contain px-5 py-4", className)}
      {...rest}
    />
  );
}

export function DialogFooter({ children }: { children: ReactNode }) {
  return (
    <div
      data-slot="dialog-footer"
      className="flex shrink-0 flex-wrap items-center justify-end gap-2 border-t bg-muted/60 px-5 py-3 max-sm:pb-[max(0.75rem,env(safe-area-inset-bottom))] max-sm:[&>button]:flex-1"
    >
      {children}
    </div>
  );
}

/** A notification may be closed, or its action taken, with the dialog open. */
function isOnToast({ target }: Event): boolean {
  return target instanceof Element && target.closest("[data-sonner-toaster]") !== null;
}

/**
 * Radix would take the close button. On touch screens nothing is focused but the dialog: a keyboard
 * would cover half of it.
 */
function focusFirstField(event: Event): void {
  const dialog = event.currentTarget;
  if (!(dialog instanceof HTMLElement)) return;

  event.preventDefault();
  const field = window.matchMedia("(pointer: fine)").matches
    ? (dialog.querySelector<HTMLElement>("[data-autofocus]") ??
      dialog.querySelector<HTMLElement>(
        // Not the hidden inputs that stand behind radio buttons.
        "[data-dialog-body] :is(input:not([aria-hidden]), select, textarea, [role='combobox']):enabled:not([readonly])",
      ))
    : null;
  (field ?? dialog).focus();
}
