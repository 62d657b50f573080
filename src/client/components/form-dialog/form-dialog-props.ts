import type { ReactNode } from "react";
import type { DefaultValues, FieldErrors, FieldValues, UseFormReturn } from "react-hook-form";
import type { z } from "zod";
import type { ButtonProps } from "@/components/ui/button";
import type { DialogProps } from "@/lib/use-dialog";

/** `edited` holds only the fields that the user has changed. */
type Submit<Output, Answer> = (values: Output, edited: Partial<Output>) => Promise<Answer>;

/** A label that may follow the values of the form. */
export type Label<Values> = string | ((values: Values) => string);

/** A way to submit. */
export type SubmitWay<Output, Answer> = {
  onSubmit: Submit<Output, Answer>;
  /** After it has succeeded. */
  onDone?: (() => void) | undefined;
};

/**
 * `Values` is what the fields hold, `Output` what the schema makes of it, and `Answer` what a submit
 * resolves with.
 */
export type FormDialogProps<Values extends FieldValues, Output, Answer> = DialogProps &
  FormProps<Values, Output, Answer>;

/** `onDone` closes the dialog by default. */
type FormProps<Values extends FieldValues, Output, Answer> = SubmitWay<Output, Answer> & {
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
  /** The fields, by the names that the server uses for them. */
  children: (form: UseFormReturn<Values, unknown, Output>) => ReactNode;

  submitLabel: Label<Values>;
  submitProps?: (values: Values) => Pick<ButtonProps, "variant" | "disabled">;
  /** By a button of its own before the first; its `onDone` is that of the first by default. */
  otherSubmit?: (SubmitWay<Output, Answer> & { label: Label<Values> }) | undefined;

  /**
   * Replaces the form after a submit that succeeded; the dialog then stays open. `again` goes back
   * to the form as it was sent.
   */
  result?: (answer: Answer, again: () => void) => ReactNode;
  /** Whether an answer leaves nothing to show: the dialog then closes in place of its `result`. */
  closesAfter?: (answer: Answer) => boolean;

  /** Of the toast of a failure that is not shown under a field. */
  errorTitle: string;
  /** Of the same toast; the server's message by default. */
  errorText?: (error: unknown) => string;
  onInvalid?: (errors: FieldErrors<Values>) => void;
  onError?: (error: unknown, form: UseFormReturn<Values, unknown, Output>) => void;
};
