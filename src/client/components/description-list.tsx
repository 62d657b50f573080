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
  /** `rows` puts the label left of its value, `stacked` above it. */
  look?: "rows" | "stacked";
  className?: string;
  id?: string;
};

const columnLooks = { 1: "", 2: "sm:grid-cols-2", 3: "sm:grid-cols-2 xl:grid-cols-3" } as const;

export function DescriptionList({ items, columns = 1, look = "rows", className, id }: DescriptionListProps) {
  return (
    <dl
      id={id}
      className={cn("grid gap-x-8", look === "rows" ? "gap-y-0" : "gap-y-3", columnLooks[columns], className)}
    >
      {items.map((item) => (
        <div
          key={item.label}
          className={cn(
            "min-w-0",
            look === "rows" && "flex min-h-9 items-center justify-between gap-4 border-b py-1.5 last:border-0",
            item.wide && "col-span-full",
          )}
        >
          <dt className={cn("shrink-0 text-sm text-muted-foreground", look === "stacked" && "mb-0.5")}>{item.label}</dt>
          <dd className={cn("min-w-0 [overflow-wrap:anywhere]", look === "rows" && "text-right")}>
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
