import type { ReactNode } from "react";
import { Card } from "@/components/ui/card";
import { cn } from "@/lib/cn";

type CardGridProps<Row> = {
  /** Undefined draws skeleton cards. */
  rows: readonly Row[] | undefined;
  label: string;
  /** Fades the cards while the next page is loading. */
  isStale?: boolean;
  className?: string;
  skeleton: ReactNode;
  children: (row: Row) => ReactNode;
};

/** Cards in columns, for phones and for what is no table. */
export function CardGrid<Row extends { id: string }>(props: CardGridProps<Row>) {
  const { rows, label, isStale = false, skeleton, children } = props;
  const className = cn("grid gap-4", props.className);
  if (rows === undefined) {
    return (
      <div role="status" className={className}>
        <span className="sr-only">加载中...</span>
        {["a", "b", "c"].map((key) => (
          <Card key={key}>{skeleton}</Card>
        ))}
      </div>
    );
  }

  return (
    <ul
      aria-label={label}
      aria-busy={isStale}
      className={cn("transition-opacity", isStale && "opacity-55", className)}
    >
      {rows.map((row) => (
        <li key={row.id} className="grid min-w-0">
          {children(row)}
        </li>
      ))}
    </ul>
  );
}
