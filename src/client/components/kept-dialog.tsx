import { type ComponentProps, type ReactNode, useState } from "react";
import { Alert } from "@/components/ui/alert";
import { Dialog, DialogBody, DialogContent, DialogHeader } from "@/components/ui/dialog";
import { ConfirmKept } from "./confirm-kept";

type KeptDialogProps = Pick<ComponentProps<typeof DialogContent>, "size"> & {
  open: boolean;
  title: string;
  description: string | undefined;
  /** What it shows, as the sentence begins that asks to keep it. */
  noun: string;
  onDone: () => void;
  children: ReactNode;
};

/** Around a secret that is shown only here: closes only by its own button, once that is kept. */
export function KeptDialog({
  open,
  size,
  title,
  description,
  noun,
  onDone,
  children,
}: KeptDialogProps) {
  const [wasAskedToClose, setAskedToClose] = useState(false);

  function finish(): void {
    setAskedToClose(false);
    onDone();
  }

  return (
    <Dialog open={open} onOpenChange={() => setAskedToClose(true)}>
      <DialogContent size={size} onInteractOutside={(event) => event.preventDefault()}>
        <DialogHeader title={title} description={description} />
        <DialogBody className="grid grid-cols-[minmax(0,1fr)] gap-3">
          {wasAskedToClose ? (
            <Alert tone="danger" live>
              {`${noun}只显示这一次。请先保存，再勾选“我已保存”。`}
            </Alert>
          ) : null}
          {open ? (
            <>
              {children}
              <ConfirmKept doneLabel="完成" onDone={finish} />
            </>
          ) : null}
        </DialogBody>
      </DialogContent>
    </Dialog>
  );
}
