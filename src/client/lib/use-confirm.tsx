import { type ReactNode, useState } from "react";
import { ConfirmDialog, type ConfirmDialogProps } from "@/components/confirm-dialog";

type ConfirmOptions = Omit<ConfirmDialogProps, "open" | "onOpenChange">;

/**
 * `const { confirm, confirmDialog } = useConfirm()`: render `confirmDialog` once in the component, call `confirm({title, description, onConfirm})` to ask.
 * The text stays while the dialog fades out.
 */
export function useConfirm(): { confirm: (options: ConfirmOptions) => void; confirmDialog: ReactNode } {
  const [options, setOptions] = useState<ConfirmOptions | null>(null);
  const [isOpen, setOpen] = useState(false);
  return {
    confirm(next) {
      setOptions(next);
      setOpen(true);
    },
    confirmDialog: options === null ? null : <ConfirmDialog {...options} open={isOpen} onOpenChange={setOpen} />,
  };
}
