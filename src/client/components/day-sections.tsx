import { localDate } from "@shared/shanghai.ts";
import type { ReactNode } from "react";
import { cn } from "@/lib/cn";
import { dayTitle } from "@/lib/day-title";
import { useNow } from "@/lib/use-now";

type DaySectionsProps<Row> = {
  /** In the order in which they are shown. */
  rows: readonly Row[];
  /** When it happened, in Unix seconds. */
  timeOf: (row: Row) => number;
  /** Faded while the next page is loading. */
  isStale: boolean;
  /** A list item. */
  children: (row: Row) => ReactNode;
};

/** A list by the days of Shanghai, each with its date above it. */
export function DaySections<Row>({ rows, timeOf, isStale, children }: DaySectionsProps<Row>) {
  const now = useNow();
  const days = [...Map.groupBy(rows, (row) => localDate(timeOf(row)))];

  return (
    <div
      aria-busy={isStale}
      className={cn("grid grid-cols-[minmax(0,1fr)] gap-5", isStale && "opacity-60")}
    >
      {days.map(([day, ofDay]) => (
        <section key={day} aria-label={dayTitle(day, now)}>
          <h2 className="mb-2 text-sm font-medium text-muted-foreground tabular-nums">
            {dayTitle(day, now)}
          </h2>
          <ul className="divide-y rounded-md border bg-card">{ofDay.map(children)}</ul>
        </section>
      ))}
    </div>
  );
}
