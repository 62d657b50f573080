import { zodResolver } from "@hookform/resolvers/zod";
import { type KeyboardEvent, useState } from "react";
import { type FieldValues, FormProvider, useForm } from "react-hook-form";
import { errorMessage, showFieldErrors, toastActError } from "@/api/errors";
import { Alert } from "@/components/ui/alert";
import { DialogBody } from "@/components/ui/dialog";
import { type DraftKey, removeDraft } from "@/lib/drafts";
import { notify } from "@/lib/notify";
import { useFreshGuard } from "@/lib/use-fresh-guard";
import { FormDialogFooter } from "./form-dialog-footer";
import type { FormDialogProps, SubmitWay } from "./form-dialog-props";
import { FORM_TOAST } from "./form-toast";
import { useFormDraft } from "./use-form-draft";
import { type FormChanges, useUnsavedChanges } from "./use-unsaved-changes";

type DialogFormProps<Values extends FieldValues, Output, Answer> = FormDialogProps<
  Values,
  Output,
  Answer
> & {
  draftKey: DraftKey | null;
  onChanges: (changes: FormChanges) => void;
};

/** The form of a `FormDialog` and, after a submit that succeeded, the result in its place. */
export function DialogForm<Values extends FieldValues, Output extends object, Answer>({
  onChanges,
  draftKey,
  ...props
}: DialogFormProps<Values, Output, Answer>) {
  const form = useForm<Values, unknown, Output>({
    resolver: zodResolver(props.schema),
    defaultValues: props.defaultValues,
  });
  const { isDirty, dirtyFields, isSubmitting } = form.formState;
  const [succeeded, setSucceeded] = useState<{ answer: Answer } | null>(null);
  const draft = useFormDraft(form, draftKey, props.title);
  const guard = useFreshGuard(props.open);
  useUnsavedChanges(isDirty && succeeded === null, onChanges);

  async function submit(
    values: Output,
    { onSubmit, onDone }: SubmitWay<Output, Answer>,
  ): Promise<void> {
    // A dialog that fades out has had its answer; for a moment it still takes Enter.
    if (!props.open) return;

    try {
      const answer = await onSubmit(values, pick(values, Object.keys(dirtyFields)));
      finish(answer, onDone ?? props.onDone);
    } catch (error) {
      showError(error);
    }
  }

  function finish(answer: Answer, onDone: SubmitWay<Output, Answer>["onDone"]): void {
    notify.dismiss(FORM_TOAST);
    if (draftKey !== null) removeDraft(draftKey);

    const hasResult = props.result !== undefined && props.closesAfter?.(answer) !== true;
    if (hasResult) setSucceeded({ answer });
    else if (onDone !== undefined) onDone();
    else props.onOpenChange(false);
  }

  /** Under the field that it is about, else as a toast. */
  function showError(error: unknown): void {
    const { errorText = errorMessage } = props;
    if (!showFieldErrors(error, form)) {
      toastActError(props.errorTitle, error, { message: errorText(error), id: FORM_TOAST });
    }
    props.onError?.(error, form);
  }

  function submitBy(way: SubmitWay<Output, Answer>) {
    return form.handleSubmit((values) => submit(values, way), props.onInvalid);
  }

  if (succeeded !== null) {
    return props.result?.(succeeded.answer, () => setSucceeded(null));
  }

  return (
    <form
      noValidate
      className="flex min-h-0 flex-1 flex-col"
      onSubmit={submitBy(props)}
      onKeyDown={submitOnKeys}
      {...guard}
    >
      <DialogBody>
        {draft === "restored" ? <RestoredNotice /> : null}
        {draft === "unread" ? null : <FormProvider {...form}>{props.children(form)}</FormProvider>}
      </DialogBody>
      <FormDialogFooter
        form={form}
        isSubmitting={isSubmitting}
        submitLabel={props.submitLabel}
        submitProps={props.submitProps}
        other={
          props.otherSubmit && {
            label: props.otherSubmit.label,
            submit: submitBy(props.otherSubmit),
          }
        }
        onCancel={() => props.onOpenChange(false)}
      />
    </form>
  );
}

/**
 * Ctrl-Enter submits from any field, also from one in which Enter chooses or begins a line. By the
 * button, which is switched off while a submit is under way.
 */
function submitOnKeys(event: KeyboardEvent<HTMLFormElement>): void {
  const isSubmit = event.key === "Enter" && (event.ctrlKey || event.metaKey);
  if (!isSubmit || event.defaultPrevented || event.nativeEvent.isComposing) return;

  event.preventDefault();
  event.currentTarget.querySelector<HTMLElement>("button[type='submit']")?.click();
}

function RestoredNotice() {
  return (
    <div className="mb-4">
      <Alert live>已恢复上次未提交的内容，请检查后再提交。密码和密钥不会保留，需要重新填写。</Alert>
    </div>
  );
}

function pick<Values extends object>(values: Values, names: readonly string[]): Partial<Values> {
  const picked: Partial<Values> = {};
  for (const name in values) {
    if (names.includes(name)) picked[name] = values[name];
  }
  return picked;
}
