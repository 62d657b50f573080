import { ArrowRight } from "lucide-react";
import { Fragment, type ReactNode } from "react";

export interface ChangeRow {
  readonly field: string;
  readonly label: string;
  /** Null where there was none before, or where an act only names the other value. */
  readonly from: ReactNode;
  readonly to: ReactNode;
}

/** Field by field, old value → new value. */
export function ChangeList({ rows }: { rows: readonly ChangeRow[] }) {
  return (
    <dl className="grid grid-cols-[max-content_minmax(0,1fr)] items-baseline gap-x-3 gap-y-1 text-sm tabular-nums">
      {rows.map((row) => (
        <Fragment key={row.field}>
          <dt className="text-muted-foreground">{row.label}</dt>
          {/* Texts of people have several lines. */}
          <dd className="min-w-0 whitespace-pre-line [overflow-wrap:anywhere]">
            <ValueChange {...row} />
          </dd>
        </Fragment>
      ))}
    </dl>
  );
}

function ValueChange({ from, to }: Pick<ChangeRow, "from" | "to">) {
  if (from === null) return to;

  return (
    <span className="inline-flex max-w-full flex-wrap items-center gap-x-1.5">
      <span className="min-w-0 text-muted-foreground">{from}</span>
      <ArrowRight
        aria-label="变为"
        role="img"
        className="size-3.5 shrink-0 text-subtle-foreground"
      />
      <span className="min-w-0 font-medium">{to}</span>
    </span>
  );
}
