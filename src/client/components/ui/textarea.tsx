import type { ComponentProps } from "react";
import { cn } from "@/lib/cn";
import { useFieldControl } from "./field-context";
import { controlLook } from "./input";

export function Textarea({ className, rows = 3, ...rest }: ComponentProps<"textarea">) {
  const control = useFieldControl(rest);
  return (
    <textarea
      data-slot="textarea"
      rows={rows}
      {...rest}
      {...control}
      className={cn(controlLook, "min-h-16 resize-y px-2.5 py-1.5 text-lg md:text-base", className)}
    />
  );
}
