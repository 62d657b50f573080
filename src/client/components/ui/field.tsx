import { CircleAlert } from "lucide-react";
import { Label as RadixLabel } from "radix-ui";
import { createContext, type ReactNode, use, useId } from "react";
import { cn } from "@/lib/cn";

export type FieldProps = {
  label: ReactNode;
  /** The error takes the helper text's place under the control. */
  error?: string | undefined;
  help?: ReactNode;
  required?: boolean;
  /** Keeps the label for screen readers only. */
  labelHidden?: boolean;
  className?: string;
  children: ReactNode;
};

/**
 * Label, control, error or helper text. Our controls inside it find their id and aria attributes by
 * themselves.
 */
export function Field({
  label,
  error,
  help,
  required = false,
  labelHidden,
  className,
  children,
}: FieldProps) {
  const id = useId();
  const noteId = `${id}-note`;
  const labelId = `${id}-label`;
  const hasNote = Boolean(error) || Boolean(help);

  return (
    <FieldContext
      value={{
        id,
        labelId,
        describedBy: hasNote ? noteId : undefined,
        isInvalid: Boolean(error),
        isRequired: required,
      }}
    >
      <div data-slot="field" className={cn("grid min-w-0 content-start gap-1.5", className)}>
        <RadixLabel.Root
          id={labelId}
          htmlFor={id}
          // The star is drawn by CSS with an empty alternative: it is no part of the label's words.
          className={cn(
            "inline-flex w-fit items-center gap-1 text-sm font-medium",
            required && "after:text-danger-ink after:content-['*'_/_'']",
            labelHidden && "sr-only",
          )}
        >
          {label}
        </RadixLabel.Root>
        {children}
        {hasNote ? <FieldNote id={noteId} error={error} help={help} /> : null}
      </div>
    </FieldContext>
  );
}

function FieldNote({
  id,
  error,
  help,
}: {
  id: string;
  error: string | undefined;
  help: ReactNode;
}) {
  if (!error) {
    return (
      <div id={id} className="text-xs text-muted-foreground">
        {help}
      </div>
    );
  }
  return (
    <p id={id} className="flex items-start gap-1 text-xs text-danger-ink">
      <CircleAlert className="mt-px size-3.5 shrink-0" />
      {error}
    </p>
  );
}

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

/**
 * What a control inside a `<Field>` must carry; its own props win. Outside of one: its own props.
 */
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
