import type { ReactNode } from "react";
import {
  type Control,
  type ControllerRenderProps,
  type FieldPath,
  type FieldValues,
  useController,
} from "react-hook-form";
import { Field, type FieldProps } from "@/components/ui/field";

type FormFieldProps<Values extends FieldValues, Name extends FieldPath<Values>> = Omit<
  FieldProps,
  "error" | "children"
> & {
  control: Control<Values>;
  name: Name;
  children: (field: ControllerRenderProps<Values, Name>) => ReactNode;
};

/**
 * A `Field` bound to react-hook-form: `<FormField control={form.control} name="phone"
 * label="手机号">{(field) => <Input {...field} />}</FormField>`.
 */
export function FormField<Values extends FieldValues, Name extends FieldPath<Values>>({
  control,
  name,
  children,
  ...rest
}: FormFieldProps<Values, Name>) {
  const { field, fieldState } = useController({ control, name });
  return (
    <Field {...rest} error={fieldState.error?.message}>
      {children(field)}
    </Field>
  );
}
