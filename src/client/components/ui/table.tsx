import { type ComponentProps, type RefObject, useLayoutEffect, useRef, useState } from "react";
import { cn } from "@/lib/cn";
import { isPrinting } from "@/lib/is-printing";

export type Density = "comfortable" | "compact";

type TableProps = ComponentProps<"table"> & {
  density?: Density;
  /** Names the box that scrolls sideways, for those who reach it by keyboard. */
  label: string;
};

/**
 * Its head stays in sight. A table that is wider than the page scrolls inside its own box, in both
 * directions: what scrolls in one cannot leave its head at the edge of the window. Its rows are
 * opaque, so that a cell that is pinned covers what scrolls under it.
 */
export function Table({ density = "comfortable", label, ...rest }: TableProps) {
  const box = useRef<HTMLDivElement>(null);
  const isWider = useIsWider(box);

  return (
    // biome-ignore lint/a11y/useSemanticElements: a section would become a landmark of the page
    <div
      ref={box}
      role="group"
      aria-label={label}
      tabIndex={isWider ? 0 : -1}
      data-wider={isWider || undefined}
      className="group/box relative w-full outline-none data-wider:max-h-[max(20rem,calc(100dvh-8rem))] data-wider:overflow-auto data-wider:focus-visible:outline-2 data-wider:focus-visible:-outline-offset-2 data-wider:focus-visible:outline-ring print:max-h-none! print:overflow-visible!"
    >
      <table
        data-slot="table"
        data-density={density}
        aria-label={label}
        className="group/table w-full border-collapse text-left text-base"
        {...rest}
      />
    </div>
  );
}

/** Whether the table needs more width than its box has. */
function useIsWider(box: RefObject<HTMLDivElement | null>): boolean {
  const [isWider, setWider] = useState(false);
  useLayoutEffect(() => {
    const outer = box.current;
    const table = outer?.querySelector("table");
    if (!outer || !table) return undefined;

    const measure = () => {
      // On paper nothing scrolls, and nothing is drawn anew.
      if (!isPrinting()) setWider(table.scrollWidth > outer.clientWidth);
    };
    const observer = new ResizeObserver(measure);
    observer.observe(outer);
    observer.observe(table);
    measure();

    return () => observer.disconnect();
  }, [box]);
  return isWider;
}

/** With collapsed borders a head that sticks has none: the shadow draws the line below it. */
export function TableHeader({ className, ...rest }: ComponentProps<"thead">) {
  return (
    <thead
      data-slot="table-header"
      className={cn(
        "sticky top-14 z-10 group-data-wider/box:top-0 low:static print:static [&_th]:shadow-[inset_0_-1px_0_var(--color-border)] [&>tr]:bg-row-hover",
        className,
      )}
      {...rest}
    />
  );
}

export function TableBody({ className, ...rest }: ComponentProps<"tbody">) {
  return (
    <tbody
      data-slot="table-body"
      className={cn("[&>tr:last-child]:border-0", className)}
      {...rest}
    />
  );
}

export function TableRow({ className, ...rest }: ComponentProps<"tr">) {
  return (
    <tr
      data-slot="table-row"
      className={cn(
        "border-b bg-card transition-colors hover:bg-row-hover not-print:data-[state=selected]:bg-row-selected",
        // The one that the keys of a queue have reached.
        "has-[[data-request]:focus-visible]:bg-row-selected has-[[data-request]:focus-visible]:[&>td:first-child]:shadow-[inset_3px_0_0_var(--color-primary)]",
        className,
      )}
      {...rest}
    />
  );
}

export function TableHead({ className, ...rest }: ComponentProps<"th">) {
  return (
    <th
      data-slot="table-head"
      scope="col"
      className={cn(
        "h-9 px-3 text-sm font-medium whitespace-nowrap text-muted-foreground first:pl-4 last:pr-4 group-data-[density=compact]/table:h-8 group-data-[density=compact]/table:px-2",
        className,
      )}
      {...rest}
    />
  );
}

const cellClass =
  "h-13 px-3 py-2 align-middle first:pl-4 last:pr-4 group-data-[density=compact]/table:h-9 group-data-[density=compact]/table:px-2 group-data-[density=compact]/table:py-1";

export function TableCell({ className, ...rest }: ComponentProps<"td">) {
  return <td data-slot="table-cell" className={cn(cellClass, className)} {...rest} />;
}

/** The cell that names its row. */
export function TableRowHead({ className, ...rest }: ComponentProps<"th">) {
  return (
    <th
      data-slot="table-cell"
      scope="row"
      className={cn(cellClass, "font-normal", className)}
      {...rest}
    />
  );
}
