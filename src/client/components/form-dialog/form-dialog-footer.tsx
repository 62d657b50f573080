import type { FieldValues, UseFormReturn } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { DialogFooter } from "@/components/ui/dialog";
import type { FormDialogProps, Label } from "./form-dialog-props";

type FormDialogFooterProps<Values extends FieldValues, Output> = {
  form: UseFormReturn<Values, unknown, Output>;
  isSubmitting: boolean;
  submitLabel: Label<Values>;
  submitProps: FormDialogProps<Values, Output, unknown>["submitProps"];
  /** The second way to submit. */
  other: { label: Label<Values>; submit: () => Promise<void> } | undefined;
  onCancel: () => void;
};

/** Only where a label or a variant follows the values is the form drawn anew with each of them. */
export function FormDialogFooter<Values extends FieldValues, Output>({
  form,
  isSubmitting,
  submitLabel,
  submitProps,
  other,
  onCancel,
}: FormDialogFooterProps<Values, Output>) {
  const props = submitProps?.(form.watch());
  const textOf = (label: Label<Values>) =>
    typeof label === "string" ? label : label(form.watch());

  return (
    <DialogFooter>
      <Button variant="outline" onClick={onCancel}>
        取消
      </Button>
      {other === undefined ? null : (
        // No submit button: Enter would take the first of two.
        <Button
          variant="outline"
          loading={isSubmitting}
          disabled={props?.disabled}
          onClick={() => void other.submit()}
        >
          {textOf(other.label)}
        </Button>
      )}
      <Button type="submit" loading={isSubmitting} {...props}>
        {textOf(submitLabel)}
      </Button>
    </DialogFooter>
  );
}
