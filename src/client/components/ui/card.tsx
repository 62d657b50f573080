import type { ComponentProps } from "react";
import { cn } from "@/lib/cn";

export function Card({ className, ...rest }: ComponentProps<"div">) {
  return (
    <div
      data-slot="card"
      className={cn(
        "flex min-w-0 flex-col rounded-md border bg-card text-card-foreground shadow-xs",
        className,
      )}
      {...rest}
    />
  );
}

/** A row: title (and description) left, `CardAction` right. */
export function CardHeader({ className, ...rest }: ComponentProps<"div">) {
  return (
    <div
      data-slot="card-header"
      className={cn(
        "grid grid-cols-[minmax(0,1fr)] items-start gap-x-3 gap-y-0.5 px-4 pt-4 has-data-[slot=card-action]:grid-cols-[minmax(0,1fr)_auto]",
        className,
      )}
      {...rest}
    />
  );
}

/** An `<h2>` unless `level` says otherwise; headings must not skip a level. */
export function CardTitle({
  className,
  level = 2,
  ...rest
}: ComponentProps<"h2"> & { level?: 2 | 3 }) {
  const Heading = level === 2 ? "h2" : "h3";
  return (
    <Heading
      data-slot="card-title"
      className={cn("col-start-1 text-base font-semibold", className)}
      {...rest}
    />
  );
}

export function CardDescription({ className, ...rest }: ComponentProps<"p">) {
  return (
    <p
      data-slot="card-description"
      className={cn("col-start-1 text-sm text-muted-foreground", className)}
      {...rest}
    />
  );
}

export function CardAction({ className, ...rest }: ComponentProps<"div">) {
  return (
    <div
      data-slot="card-action"
      className={cn("col-start-2 row-span-2 row-start-1 flex items-center gap-2", className)}
      {...rest}
    />
  );
}

export function CardContent({ className, ...rest }: ComponentProps<"div">) {
  return <div data-slot="card-content" className={cn("flex-1 px-4 py-4", className)} {...rest} />;
}

export function CardFooter({ className, ...rest }: ComponentProps<"div">) {
  return (
    <div
      data-slot="card-footer"
      className={cn("flex items-center gap-2 border-t px-4 py-3", className)}
      {...rest}
    />
  );
}
