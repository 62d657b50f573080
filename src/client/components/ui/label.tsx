import { Label as RadixLabel } from "radix-ui";
import type { ComponentProps } from "react";
import { cn } from "@/lib/cn";

export type LabelProps = ComponentProps<typeof RadixLabel.Root> & { required?: boolean | undefined };

/** The star of a required field is drawn by CSS with an empty alternative: it is no part of the label's words. */
export function Label({ className, required = false, ...rest }: LabelProps) {
  return (
    <RadixLabel.Root
      data-slot="label"
      className={cn(
        "inline-flex items-center gap-1 text-sm font-medium",
        required && "after:text-danger-ink after:content-['*'_/_'']",
        className,
      )}
      {...rest}
    />
  );
}
