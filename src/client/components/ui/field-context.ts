import { createContext, use } from "react";

type FieldContextValue = {
  id: string;
  labelId: string;
  describedBy: string | undefined;
  isInvalid: boolean;
  isRequired: boolean;
};

export const FieldContext = createContext<FieldContextValue | null>(null);

type ControlProps = {
  id?: string | undefined;
  "aria-describedby"?: string | undefined;
  "aria-invalid"?: boolean | "true" | "false" | "grammar" | "spelling" | undefined;
  "aria-required"?: boolean | "true" | "false" | undefined;
};

/** What a control inside a `<Field>` must carry; its own props win. Outside of one: its own props. */
export function useFieldControl(own: ControlProps): ControlProps {
  const field = use(FieldContext);
  if (field === null) return own;
  return {
    id: own.id ?? field.id,
    "aria-describedby": own["aria-describedby"] ?? field.describedBy,
    "aria-invalid": own["aria-invalid"] ?? (field.isInvalid || undefined),
    "aria-required": own["aria-required"] ?? (field.isRequired || undefined),
  };
}
