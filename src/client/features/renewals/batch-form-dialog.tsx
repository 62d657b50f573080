import { type ComponentProps, useState } from "react";
import type { FieldValues } from "react-hook-form";
import { FormDialog } from "@/components/form-dialog";
import { Button } from "@/components/ui/button";
import { Dialog, DialogBody, DialogClose, DialogContent, DialogFooter, DialogHeader } from "@/components/ui/dialog";
import { type Result, ResultList } from "@/features/hosts/result-list";

type Answer = Pick<Result, "id" | "host"> & { outcome: { ok: boolean; message?: string | undefined } | undefined };
type FormProps<Values extends FieldValues, Output extends object> = ComponentProps<typeof FormDialog<Values, Output>>;
type BatchFormDialogProps<Values extends FieldValues, Output extends object> = Omit<
  FormProps<Values, Output>,
  "onSubmit"
> & { onSubmit: (values: Output) => Promise<readonly Answer[]> };

/** A form for several requests, then what became of each, failures first. */
export function BatchFormDialog<Values extends FieldValues, Output extends object>(
  props: BatchFormDialogProps<Values, Output>,
) {
  const { open, onOpenChange, title, onSubmit } = props;
  const [results, setResults] = useState<readonly Result[]>();
  if (results === undefined) {
    return (
      <FormDialog
        {...props}
        onSubmit={async (values) => {
          const answers = await onSubmit(values);
          setResults(
            answers.map(({ outcome, ...item }) => ({ ...item, ok: outcome?.ok ?? false, message: outcome?.message })),
          );
        }}
        onDone={() => undefined}
      />
    );
  }
  const failed = results.filter(({ ok }) => !ok);
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent>
        <DialogHeader
          title={title}
          description={`成功 ${results.length - failed.length} 个，失败 ${failed.length} 个`}
        />
        <DialogBody>
          <ResultList label="每个申请的结果" lines={[...failed, ...results.filter(({ ok }) => ok)]} />
        </DialogBody>
        <DialogFooter>
          <DialogClose asChild>
            <Button>完成</Button>
          </DialogClose>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}
