import type { ReactNode } from "react";
import { cn } from "@/lib/cn";
import { NOTHING } from "@/lib/format";

export type Description = {
  label: string;
  /** Null, undefined and "" are drawn as a dash. */
  value: ReactNode;
  /** Takes the whole width where there are two columns. */
  wide?: boolean;
};

type DescriptionListProps = {
  items: readonly Description[];
  columns?: 1 | 2 | 3;
  className?: string;
  id?: string;
};

const columnClasses = { 1: "", 2: "sm:grid-cols-2", 3: "sm:grid-cols-2 xl:grid-cols-3" } as const;

export function DescriptionList({ items, columns = 1, className, id }: DescriptionListProps) {
  return (
    <dl id={id} className={cn("grid gap-x-8", columnClasses[columns], className)}>
      {items.map((item) => (
        <div
          key={item.label}
          className={cn(
            "flex min-h-9 min-w-0 items-center justify-between gap-4 border-b py-1.5 last:border-0",
            item.wide && "col-span-full",
          )}
        >
          <dt className="shrink-0 text-sm text-muted-foreground">{item.label}</dt>
          <dd className="min-w-0 text-right [overflow-wrap:anywhere]">
            {item.value === null || item.value === undefined || item.value === "" ? (
              <span className="text-subtle-foreground">{NOTHING}</span>
            ) : (
              item.value
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
