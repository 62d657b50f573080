import { Link } from "wouter";
import { cn } from "@/lib/cn";
import { formatNumber } from "@/lib/format-number";

/** `color` is a background class of the theme. */
type Series = { label: string; color: string };

export type BarRow = {
  name: string;
  values: readonly number[];
  href: string | null;
};

type BarListProps = {
  caption: string;
  head: string;
  series: readonly Series[];
  rows: readonly BarRow[];
};

/**
 * A table of bars, stacked where there are several series: each number is a cell as wide as its
 * share of the longest row.
 */
export function BarList({ caption, head, series, rows }: BarListProps) {
  const longest = Math.max(1, ...rows.map(({ values }) => sum(values)));
  return (
    <div className="flex flex-1 flex-col gap-3 text-sm">
      <table className="relative flex flex-1 flex-col [--name:8rem]">
        <caption className="sr-only">{caption}</caption>
        <thead className="sr-only">
          <tr>
            {[head, ...series.map(({ label }) => label), "合计"].map((label) => (
              <th key={label} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="flex flex-1 flex-col justify-between">
          {rows.map((row) => (
            <BarTableRow
              key={row.name}
              row={row}
              series={series}
              rest={longest - sum(row.values)}
            />
          ))}
        </tbody>
      </table>
      {series.length > 1 ? (
        <ul aria-hidden="true" className="flex flex-wrap gap-x-4 gap-y-1 text-muted-foreground">
          {series.map(({ label, color }) => (
            <li key={label} className="flex items-center gap-1.5">
              <span className={cn("size-2.5 rounded-sm", color)} />
              {label}
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}

type BarTableRowProps = {
  row: BarRow;
  series: readonly Series[];
  /** What the row lacks to the longest. */
  rest: number;
};

function BarTableRow({ row: { name, values, href }, series, rest }: BarTableRowProps) {
  const numbers = series
    .map(({ label }, index) => `${label} ${formatNumber(values[index] ?? 0)}`)
    .join("、");
  const bars = values.map((value) => (value === 0 ? "0" : `minmax(4px, ${value}fr)`)).join(" ");

  return (
    <tr
      title={`${name}：${numbers}`}
      className="relative -mx-2 grid h-7 items-center rounded-sm px-2 hover:bg-accent"
      style={{ gridTemplateColumns: `var(--name) ${bars} minmax(0, ${rest}fr) 2.75rem` }}
    >
      <th scope="row" className="min-w-0 truncate pr-3 text-left font-normal tabular-nums">
        {href === null ? (
          <span className="text-muted-foreground">{name}</span>
        ) : (
          // The whole row is its target.
          <Link
            href={href}
            className="py-1 text-primary-ink after:absolute after:inset-0 hover:underline"
          >
            {name}
          </Link>
        )}
      </th>
      {series.map(({ label, color }, index) => (
        <td key={label} className={cn("h-3.5 min-w-0 rounded-sm border-r border-card", color)}>
          <span className="sr-only">{formatNumber(values[index] ?? 0)}</span>
        </td>
      ))}
      <td className="-col-end-1 text-right font-medium tabular-nums">
        {formatNumber(sum(values))}
      </td>
    </tr>
  );
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
