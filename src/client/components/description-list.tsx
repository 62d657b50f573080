import type { ReactNode } from "react";
import { cn } from "@/lib/cn";
import { NOTHING } from "@/lib/format";

type DescriptionListProps = {
  /** A value of null, undefined or "" is drawn as a dash. */
  items: readonly { label: string; value: ReactNode }[];
  className?: string;
};

export function DescriptionList({ items, className }: DescriptionListProps) {
  return (
    // The rule above the first row, in one column or two, is cut off.
    <dl className={cn("grid gap-x-8 overflow-y-clip", className)}>
      {items.map((item) => (
        <div
          key={item.label}
          className="-mt-px flex min-h-9 min-w-0 flex-wrap items-center gap-x-4 border-t py-1.5"
        >
          <dt className="shrink-0 text-sm text-muted-foreground">{item.label}</dt>
          <dd className="ml-auto min-w-0 text-right [overflow-wrap:anywhere]">
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
