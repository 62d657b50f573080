import { type ReactNode, useState } from "react";
import { ConfirmDialog, type ConfirmDialogProps } from "@/components/ui/confirm-dialog";

type Question = Omit<ConfirmDialogProps, "open" | "onOpenChange">;

/**
 * `const { confirm, confirmDialog } = useConfirm()`: render `confirmDialog` once in the component, call `confirm({title, description, onConfirm})` to ask.
 * The question stays while the dialog fades out, so its words do not vanish first.
 */
export function useConfirm(): { confirm: (question: Question) => void; confirmDialog: ReactNode } {
  const [question, setQuestion] = useState<Question | null>(null);
  const [isOpen, setOpen] = useState(false);
  return {
    confirm(asked) {
      setQuestion(asked);
      setOpen(true);
    },
    confirmDialog: question === null ? null : <ConfirmDialog {...question} open={isOpen} onOpenChange={setOpen} />,
  };
}
