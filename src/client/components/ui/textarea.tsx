import type { ComponentProps } from "react";
import { useFieldControl } from "@/components/ui/field";
import { controlClass } from "@/components/ui/input";
import { cn } from "@/lib/cn";

type TextareaProps = Omit<ComponentProps<"textarea">, "value" | "className" | "maxLength"> & {
  value?: string | null | undefined;
};

/** Without a `maxLength`, like an `Input`. */
export function Textarea({ rows = 3, value, ...rest }: TextareaProps) {
  const control = useFieldControl(rest);
  return (
    <textarea
      data-slot="textarea"
      rows={rows}
      value={value ?? undefined}
      {...rest}
      {...control}
      className={cn(controlClass, "min-h-16 resize-y px-2.5 py-1.5 text-lg md:text-base")}
    />
  );
}
