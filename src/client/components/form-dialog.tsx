import { zodResolver } from "@hookform/resolvers/zod";
import { type ReactNode, useEffect, useLayoutEffect, useState } from "react";
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
import { Alert } from "@/components/ui/alert";
import { Button, type ButtonProps } from "@/components/ui/button";
import {
  Dialog,
  DialogBody,
  DialogContent,
  DialogFooter,
  DialogHeader,
} from "@/components/ui/dialog";
import { readDraft, removeDraft, writeDraft } from "@/lib/drafts";
import { notify } from "@/lib/notify";
import type { DialogProps } from "@/lib/use-dialog";
import { useCurrentUser } from "@/session/session";

/**
 * The id of the toast about what was wrong with a submit. A later failure replaces it, a success
 * closes it.
 */
export const FORM_TOAST = "form";

/** The schema of a dialog that only explains what its button does. */
export const NoFields = z.object({});

type FormDialogProps<Values extends FieldValues, Output, Answer> = DialogProps & {
  title: string;
  description?: string | undefined;
  size?: "md" | "lg";
  /**
   * Under which what is typed outlives the session, with the id of what it changes; null for a form
   * without text.
   */
  draft: string | null;
  schema: z.ZodType<Output, Values>;
  /** Read when the dialog opens; later values are ignored. */
  defaultValues: NoInfer<DefaultValues<Values>>;
  submitLabel: string | ((values: Values) => string);
  submitProps?: (values: Values) => Pick<ButtonProps, "variant" | "disabled">;
  /** A second way to submit, before the first: its button sets what `onSubmit` then does. */
  otherSubmit?: { label: string; onChoose: (isChosen: boolean) => void };
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
  /** Whether an answer leaves nothing to show: the dialog then closes in place of its `result`. */
  closesAfter?: (answer: Answer) => boolean;
  onInvalid?: (errors: FieldErrors<Values>) => void;
  onError?: (error: unknown, form: UseFormReturn<Values, unknown, Output>) => void;
  /** The fields, by the names that the server uses for them. */
  children: (form: UseFormReturn<Values, unknown, Output>) => ReactNode;
};

/**
 * A dialog around one form. It submits once, keeps what is filled in on a failure, and asks before
 * that is discarded.
 */
export function FormDialog<Values extends FieldValues, Output extends object, Answer>(
  props: FormDialogProps<Values, Output, Answer>,
) {
  const { open, onOpenChange, title, description, size = "md" } = props;
  const [changes, setChanges] = useState<Changes>("none");
  const { id: userId } = useCurrentUser();
  const draftKey = props.draft === null ? null : { userId, form: props.draft };

  /**
   * Closed by the person, in whatever way, it leaves no draft; one that the end of the session
   * takes away does.
   */
  function change(next: boolean): void {
    if (!next && draftKey !== null) removeDraft(draftKey);
    onOpenChange(next);
  }

  return (
    <Dialog
      open={open}
      onOpenChange={(next) =>
        next || changes === "none" ? change(next) : setChanges("discarding")
      }
    >
      <DialogContent size={size}>
        <DialogHeader title={title} description={description} />
        <FormDialogForm
          {...props}
          onOpenChange={change}
          draftKey={draftKey}
          onChanges={setChanges}
        />
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
        onConfirm={() => change(false)}
      />
    </Dialog>
  );
}

/** Of the form: `discarding` while the user confirms that. */
type Changes = "none" | "unsaved" | "discarding";

function FormDialogForm<Values extends FieldValues, Output extends object, Answer>({
  onChanges,
  draftKey,
  ...props
}: FormDialogProps<Values, Output, Answer> & {
  onChanges: (changes: Changes) => void;
  draftKey: { userId: string; form: string } | null;
}) {
  const form = useForm<Values, unknown, Output>({
    resolver: zodResolver(props.schema),
    defaultValues: props.defaultValues,
  });
  const draft = useDraft(form, draftKey, props.title);
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
      if (draftKey !== null) removeDraft(draftKey);
      const hasResult = props.result !== undefined && props.closesAfter?.(answer) !== true;
      if (hasResult) setDone({ answer });
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
    <form
      noValidate
      className="flex min-h-0 flex-1 flex-col"
      onSubmit={form.handleSubmit(submit, props.onInvalid)}
    >
      <DialogBody>
        {draft === "restored" ? (
          <div className="mb-4">
            <Alert live>
              已恢复上次未提交的内容，请检查后再提交。密码和密钥不会保留，需要重新填写。
            </Alert>
          </div>
        ) : null}
        {draft === "unread" ? null : <FormProvider {...form}>{props.children(form)}</FormProvider>}
      </DialogBody>
      <DialogFooter>
        <Button variant="outline" onClick={() => props.onOpenChange(false)}>
          取消
        </Button>
        {props.otherSubmit === undefined ? null : (
          // No submit button: Enter would take the first of two.
          <Button
            variant="outline"
            loading={isSubmitting}
            onClick={() => {
              props.otherSubmit?.onChoose(true);
              void form.handleSubmit(submit, props.onInvalid)();
            }}
          >
            {props.otherSubmit.label}
          </Button>
        )}
        <Button
          type="submit"
          loading={isSubmitting}
          onClick={() => props.otherSubmit?.onChoose(false)}
          {...props.submitProps?.(form.watch())}
        >
          {typeof submitLabel === "string" ? submitLabel : submitLabel(form.watch())}
        </Button>
      </DialogFooter>
    </form>
  );
}

type DraftState = "unread" | "none" | "restored";

/**
 * Keeps what is typed, and puts back what was typed before the session ended. That happens before
 * the fields are first drawn (`unread`), since some of them choose by their first value how they
 * look.
 */
function useDraft<Values extends FieldValues, Output>(
  form: UseFormReturn<Values, unknown, Output>,
  key: { userId: string; form: string } | null,
  title: string,
): DraftState {
  const [state, setState] = useState<DraftState>("unread");
  const [firstKey] = useState(key);
  useLayoutEffect(() => {
    const values = firstKey === null ? undefined : readDraft(firstKey)?.values;
    if (values === undefined || !fits(values, form.getValues())) return setState("none");

    form.reset({ ...form.getValues(), ...values }, { keepDefaultValues: true });
    setState("restored");
  }, [form, firstKey]);
  useEffect(() => {
    if (firstKey === null) return undefined;
    return form.subscribe({
      formState: { values: true },
      callback: ({ values }) =>
        writeDraft(firstKey, title, values, form.formState.defaultValues ?? {}),
    });
  }, [form, firstKey, title]);
  return state;
}

/** False for the draft of a form that looked different, before an update of the console. */
function fits<Values extends FieldValues>(draft: object, values: Values): draft is Partial<Values> {
  const present = new Map<string, unknown>(Object.entries(values));
  return Object.entries(draft).every(([name, value]) => {
    const shown = present.get(name);
    return present.has(name) && (shown === null || value === null || typeof shown === typeof value);
  });
}

function pick<Values extends object>(values: Values, names: readonly string[]): Partial<Values> {
  const picked: Partial<Values> = {};
  for (const name in values) if (names.includes(name)) picked[name] = values[name];
  return picked;
}
