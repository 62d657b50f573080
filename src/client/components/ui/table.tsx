import type { ComponentProps } from "react";
import { cn } from "@/lib/cn";

export type Density = "comfortable" | "compact";

type TableProps = ComponentProps<"table"> & {
  density?: Density;
  /** Names the box that scrolls sideways, for those who reach it by keyboard. */
  label: string;
};

/**
 * Scrolls inside its own box when it is wider than the page. Its rows are opaque, so that a cell
 * that is pinned covers what scrolls under it.
 */
export function Table({ density = "comfortable", label, ...rest }: TableProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a section would become a landmark of the page
    <div
      role="group"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
      tabIndex={0}
      className="relative w-full overflow-x-auto print:overflow-visible"
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

export function TableHeader(props: ComponentProps<"thead">) {
  return <thead data-slot="table-header" className="border-b [&>tr]:bg-row-hover" {...props} />;
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
        "border-b bg-card transition-colors hover:bg-row-hover data-[state=selected]:bg-row-selected",
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

export function TableCell({ className, ...rest }: ComponentProps<"td">) {
  return (
    <td
      data-slot="table-cell"
      className={cn(
        "h-13 px-3 py-2 align-middle first:pl-4 last:pr-4 group-data-[density=compact]/table:h-9 group-data-[density=compact]/table:px-2 group-data-[density=compact]/table:py-1",
        className,
      )}
      {...rest}
    />
  );
}
