import { zodResolver } from "@hookform/resolvers/zod";
import { type ReactNode, useEffect, useState } from "react";
import {
  type DefaultValues,
  type FieldErrors,
  type FieldValues,
  FormProvider,
  type UseFormReturn,
  useForm,
} from "react-hook-form";
import { z } from "zod";
import { errorMessage, showFieldErrors, toastError } from "@/api/errors";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { Button, type ButtonProps } from "@/components/ui/button";
import { Dialog, DialogBody, DialogContent, DialogFooter, DialogHeader } from "@/components/ui/dialog";
import { notify } from "@/lib/notify";
import type { DialogProps } from "@/lib/use-dialog";

/** The id of the toast about what was wrong with a submit. A later failure replaces it, a success closes it. */
export const FORM_TOAST = "form";

/** The schema of a dialog that only explains what its button does. */
export const NoFields = z.object({});

type FormDialogProps<Values extends FieldValues, Output, Answer> = DialogProps & {
  title: string;
  description?: string | undefined;
  size?: "md" | "lg";
  schema: z.ZodType<Output, Values>;
  /** Read when the dialog opens; later values are ignored. */
  defaultValues: NoInfer<DefaultValues<Values>>;
  submitLabel: string | ((values: Values) => string);
  submitProps?: (values: Values) => Pick<ButtonProps, "variant" | "disabled">;
  /** Of the toast of a failure that is not shown under a field. */
  errorTitle: string;
  /** Of the same toast; the server's message by default. */
  errorText?: (error: unknown) => string;
  /** `edited` holds only the fields that the user has changed. */
  onSubmit: (values: Output, edited: Partial<Output>) => Promise<Answer>;
  /** After a submit that succeeded; closes the dialog by default. */
  onDone?: (() => void) | undefined;
  /** Replaces the form after a submit that succeeded; the dialog then stays open. */
  result?: (answer: Answer) => ReactNode;
  onInvalid?: (errors: FieldErrors<Values>) => void;
  onError?: (error: unknown, form: UseFormReturn<Values, unknown, Output>) => void;
  /** The fields, by the names that the server uses for them. */
  children: (form: UseFormReturn<Values, unknown, Output>) => ReactNode;
};

/** A dialog around one form. It submits once, keeps what is filled in on a failure, and asks before that is discarded. */
export function FormDialog<Values extends FieldValues, Output extends object, Answer>(
  props: FormDialogProps<Values, Output, Answer>,
) {
  const { open, onOpenChange, title, description, size = "md" } = props;
  const [changes, setChanges] = useState<Changes>("none");
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => (next || changes === "none" ? onOpenChange(next) : setChanges("discarding"))}
    >
      <DialogContent size={size}>
        <DialogHeader title={title} description={description} />
        <FormDialogForm {...props} onChanges={setChanges} />
      </DialogContent>
      <ConfirmDialog
        // A submit that has closed the dialog meanwhile leaves nothing to confirm.
        open={open && changes === "discarding"}
        // After a discard the form may already be gone, and its changes with it.
        onOpenChange={() => setChanges((now) => (now === "discarding" ? "unsaved" : now))}
        title="放弃未保存的内容？"
        description="关闭后，已填写的内容不会保留。"
        confirmLabel="放弃"
        cancelLabel="继续编辑"
        tone="warning"
        onConfirm={() => onOpenChange(false)}
      />
    </Dialog>
  );
}

/** Of the form: `discarding` while the user confirms that. */
type Changes = "none" | "unsaved" | "discarding";

function FormDialogForm<Values extends FieldValues, Output extends object, Answer>({
  onChanges,
  ...props
}: FormDialogProps<Values, Output, Answer> & { onChanges: (changes: Changes) => void }) {
  const form = useForm<Values, unknown, Output>({
    resolver: zodResolver(props.schema),
    defaultValues: props.defaultValues,
  });
  const [done, setDone] = useState<{ answer: Answer }>();
  const { submitLabel, errorText = errorMessage } = props;
  const { isDirty, dirtyFields, isSubmitting } = form.formState;
  const isUnsaved = isDirty && done === undefined;
  useEffect(() => {
    if (!isUnsaved) return undefined;
    const prevent = (event: BeforeUnloadEvent) => event.preventDefault();
    onChanges("unsaved");
    window.addEventListener("beforeunload", prevent);
    return () => {
      onChanges("none");
      window.removeEventListener("beforeunload", prevent);
    };
  }, [isUnsaved, onChanges]);

  async function submit(values: Output): Promise<void> {
    // A dialog that fades out has had its answer; for a moment it still takes Enter.
    if (!props.open) return;
    try {
      const answer = await props.onSubmit(values, pick(values, Object.keys(dirtyFields)));
      notify.dismiss(FORM_TOAST);
      if (props.result !== undefined) setDone({ answer });
      else if (props.onDone !== undefined) props.onDone();
      else props.onOpenChange(false);
    } catch (error) {
      if (!showFieldErrors(error, form)) {
        toastError(props.errorTitle, error, { message: errorText(error), id: FORM_TOAST });
      }
      props.onError?.(error, form);
    }
  }

  if (done !== undefined) return props.result?.(done.answer);
  return (
    <form noValidate className="flex min-h-0 flex-1 flex-col" onSubmit={form.handleSubmit(submit, props.onInvalid)}>
      <DialogBody>
        <FormProvider {...form}>{props.children(form)}</FormProvider>
      </DialogBody>
      <DialogFooter>
        <Button variant="outline" onClick={() => props.onOpenChange(false)}>
          取消
        </Button>
        <Button type="submit" loading={isSubmitting} {...props.submitProps?.(form.watch())}>
          {typeof submitLabel === "string" ? submitLabel : submitLabel(form.watch())}
        </Button>
      </DialogFooter>
    </form>
  );
}

function pick<Values extends object>(values: Values, names: readonly string[]): Partial<Values> {
  const picked: Partial<Values> = {};
  for (const name in values) if (names.includes(name)) picked[name] = values[name];
  return picked;
}
