import type { ComponentProps } from "react";
import { cn } from "@/lib/cn";

export function Kbd({ className, ...rest }: ComponentProps<"kbd">) {
  return (
    <kbd
      data-slot="kbd"
      className={cn(
        "inline-flex h-5 min-w-5 items-center justify-center rounded-sm border border-border-strong bg-muted px-1 font-sans text-xs font-medium text-muted-foreground",
        className,
      )}
      {...rest}
    />
  );
}
