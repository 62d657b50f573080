import type { ReactNode } from "react";
import { cn } from "@/lib/cn";

type NoteProps = { title?: string; className?: string; children: ReactNode };

/** What is said in small below a number of a card. */
export function Note({ title, className = "text-muted-foreground", children }: NoteProps) {
  return (
    <span title={title} className={cn("block text-xs", className)}>
      {children}
    </span>
  );
}
