import { cn } from "@/lib/cn";
import { formatNumber } from "@/lib/format-number";

type ChartTableProps = {
  caption: string;
  head: readonly string[];
  /** What the row is about, then its numbers. */
  rows: readonly (readonly [string, ...number[]])[];
};

/** The numbers of a chart for those who do not see it. Put it beside the drawing, which is `role="img"`. */
export function ChartTable({ caption, head, rows }: ChartTableProps) {
  return (
    <div className="sr-only">
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {head.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...numbers]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {numbers.map((value, column) => (
                <td key={head[column + 1]}>{formatNumber(value)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

type Series = { label: string /** A background class of the theme. */; colour: string };

export function ChartLegend({ series, className }: { series: readonly Series[]; className?: string }) {
  return (
    <ul className={cn("flex flex-wrap gap-x-4 gap-y-1 text-sm text-muted-foreground", className)}>
      {series.map(({ label, colour }) => (
        <li key={label} className="flex items-center gap-1.5">
          <Swatch colour={colour} />
          {label}
        </li>
      ))}
    </ul>
  );
}

type ChartTooltipProps = { title: string; rows: readonly (Series & { value: number })[] };

export function ChartTooltip({ title, rows }: ChartTooltipProps) {
  return (
    <div className="min-w-32 rounded-md border bg-popover px-2.5 py-2 text-sm text-popover-foreground shadow-md">
      <p className="mb-1 font-medium">{title}</p>
      {rows.map(({ label, value, colour }) => (
        <p key={label} className="flex items-center gap-1.5 text-muted-foreground">
          <Swatch colour={colour} />
          {label}
          <span className="ml-auto pl-4 font-medium text-foreground tabular-nums">{formatNumber(value)}</span>
        </p>
      ))}
    </div>
  );
}

function Swatch({ colour }: { colour: string }) {
  return <span aria-hidden="true" className={cn("size-2.5 shrink-0 rounded-sm", colour)} />;
}
