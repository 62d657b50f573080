import { ConfirmDialog } from "@/components/confirm-dialog";
import type { DialogProps } from "@/lib/use-dialog";

type DiscardDialogProps = DialogProps & { onDiscard: () => void };

/** Asks before what is filled in is lost. */
export function DiscardDialog({ onDiscard, ...dialog }: DiscardDialogProps) {
  return (
    <ConfirmDialog
      {...dialog}
      title="放弃未保存的内容？"
      description="关闭后，已填写的内容不会保留。"
      confirmLabel="放弃"
      cancelLabel="继续编辑"
      tone="warning"
      onConfirm={onDiscard}
    />
  );
}
