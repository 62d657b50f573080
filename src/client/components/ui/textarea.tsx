import type { ComponentProps } from "react";
import { useFieldControl } from "@/components/ui/field";
import { controlClass } from "@/components/ui/input";
import { cn } from "@/lib/cn";

export function Textarea({ className, rows = 3, ...rest }: ComponentProps<"textarea">) {
  const control = useFieldControl(rest);
  return (
    <textarea
      data-slot="textarea"
      rows={rows}
      {...rest}
      {...control}
      className={cn(controlClass, "min-h-16 resize-y px-2.5 py-1.5 text-lg md:text-base", className)}
    />
  );
}
