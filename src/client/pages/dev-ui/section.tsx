import type { ReactNode } from "react";
import { cn } from "@/lib/cn";

/** A named group of examples. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={title} className="grid min-w-0 gap-4">
      <h2 id={title} className="border-b pb-2 text-lg font-semibold">
        {title}
      </h2>
      {children}
    </section>
  );
}

export function Row({ label, className, children }: { label?: string; className?: string; children: ReactNode }) {
  return (
    <div className="grid min-w-0 gap-1.5">
      {label ? <p className="text-xs text-muted-foreground">{label}</p> : null}
      <div className={cn("flex min-w-0 flex-wrap items-center gap-2", className)}>{children}</div>
    </div>
  );
}
