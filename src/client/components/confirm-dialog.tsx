import { TriangleAlert } from "lucide-react";
import { AlertDialog } from "radix-ui";
import { type ReactNode, useState } from "react";
import { describeActError } from "@/api/errors";
import { Alert } from "@/components/ui/alert";
import { softTones } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { cn } from "@/lib/cn";
import { useOpener } from "@/lib/opener";
import type { DialogProps } from "@/lib/use-dialog";
import { useFreshGuard } from "@/lib/use-fresh-guard";

type ConfirmDialogProps = DialogProps & {
  title: string;
  /** What exactly is destroyed or ended, by name, and what follows from it. */
  description: ReactNode;
  confirmLabel: string;
  cancelLabel?: string;
  tone?: "danger" | "warning";
  /** The title of a failure. Absent where nothing can fail. */
  errorTitle?: string;
  /** What is asked is no longer so. */
  isDisabled?: boolean;
  /**
   * A returned promise keeps the dialog open and busy; it closes when the promise is fulfilled. When
   * it is rejected, the dialog stays and says why, so the mutation has no toast of its own.
   */
  onConfirm: () => unknown;
};

/** Asks before something is destroyed or ended. */
export function ConfirmDialog({
  open,
  onOpenChange,
  title,
  description,
  confirmLabel,
  cancelLabel = "取消",
  tone = "danger",
  errorTitle = "操作失败",
  isDisabled = false,
  onConfirm,
}: ConfirmDialogProps) {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ReturnType<typeof describeActError> | null>(null);
  const guard = useFreshGuard(open);
  const { rememberOpener, onCloseAutoFocus } = useOpener();

  async function confirm(): Promise<void> {
    setBusy(true);
    setFailure(null);
    try {
      await onConfirm();
      onOpenChange(false);
    } catch (error) {
      setFailure(describeActError(errorTitle, error));
    } finally {
      setBusy(false);
    }
  }

  function changeOpen(next: boolean): void {
    if (isBusy) return;
    setFailure(null);
    onOpenChange(next);
  }

  return (
    <AlertDialog.Root open={open} onOpenChange={changeOpen}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="fixed inset-0 z-50 bg-overlay data-[state=open]:animate-fade-in data-[state=closed]:animate-fade-out" />
        <AlertDialog.Content
          onOpenAutoFocus={rememberOpener}
          onCloseAutoFocus={onCloseAutoFocus}
          {...guard}
          className="fixed inset-x-4 top-1/2 z-50 mx-auto max-h-[88dvh] w-auto max-w-md -translate-y-1/2 overflow-y-auto rounded-md border bg-popover text-popover-foreground shadow-lg outline-none data-[state=closed]:animate-fade-out data-[state=open]:animate-fade-in"
        >
          <div className="flex gap-3.5 px-5 pt-5 pb-4">
            <span
              className={cn(
                "grid size-9 shrink-0 place-items-center rounded-full",
                softTones[tone],
              )}
            >
              <TriangleAlert className="size-4.5" />
            </span>
            <div className="min-w-0 flex-1">
              <AlertDialog.Title className="text-lg font-semibold">{title}</AlertDialog.Title>
              <AlertDialog.Description asChild>
                <div className="mt-1 text-base text-muted-foreground [overflow-wrap:anywhere] [&_strong]:font-medium [&_strong]:text-foreground">
                  {description}
                </div>
              </AlertDialog.Description>
              {failure === null ? null : (
                <div className="mt-3">
                  <Alert tone="danger" live title={failure.title}>
                    {failure.message}
                  </Alert>
                </div>
              )}
            </div>
          </div>
          <div className="flex justify-end gap-2 border-t bg-muted/60 px-5 py-3 max-sm:[&>button]:flex-1">
            <AlertDialog.Cancel asChild>
              <Button variant="outline" disabled={isBusy}>
                {cancelLabel}
              </Button>
            </AlertDialog.Cancel>
            <Button variant={tone} loading={isBusy} disabled={isDisabled} onClick={confirm}>
              {confirmLabel}
            </Button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
