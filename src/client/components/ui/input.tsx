import type { ComponentProps, ReactNode } from "react";
import { useFieldControl } from "@/components/ui/field";
import { cn } from "@/lib/cn";
import { rewritingHandlers } from "@/lib/rewrite-field";

export type ControlSize = "sm" | "md" | "lg";

export const controlClass = [
  "w-full min-w-0 rounded-md border border-input bg-card text-foreground shadow-xs transition-[border-color,box-shadow]",
  "hover:border-muted-foreground focus-visible:border-ring focus-visible:outline-2 focus-visible:-outline-offset-1 focus-visible:outline-ring",
  "aria-invalid:border-danger aria-invalid:focus-visible:outline-danger",
  "disabled:cursor-not-allowed disabled:border-border-strong disabled:bg-muted disabled:text-muted-foreground",
  "[&[readonly]]:bg-muted",
  // A refused control gets the focus, and what is said of it below must come into view as well.
  "scroll-mb-8",
].join(" ");

/** Of a filter that narrows its list. */
export const activeFilterClass =
  "border-primary bg-primary-soft font-medium text-primary-ink hover:border-primary";

/** 16 px on phones: iOS zooms into anything smaller. */
export const controlSizes = {
  sm: "h-7 px-2 text-lg md:text-sm",
  md: "h-8.5 px-2.5 text-lg md:text-base",
  lg: "h-10 px-3 text-lg",
} as const;

export type InputProps = Omit<ComponentProps<"input">, "size" | "value" | "maxLength"> & {
  value?: string | null | undefined;
  size?: ControlSize;
  /** An icon at the left edge, decoration only. */
  leading?: ReactNode;
  /** A button or unit at the right edge. */
  trailing?: ReactNode;
  /** How what is typed is written: `halfWidthCode`, `phoneDigits`. */
  rewrite?: ((typed: string) => string) | undefined;
};

/**
 * Give it no `maxLength`: the browser would cut what is pasted without a word. The schema says what
 * is too long.
 */
export function Input({
  size = "md",
  value,
  leading,
  trailing,
  rewrite,
  className,
  ...rest
}: InputProps) {
  const control = useFieldControl(rest);
  const input = (
    <input
      data-slot="input"
      value={value ?? undefined}
      {...rest}
      {...control}
      {...(rewrite === undefined ? {} : rewritingHandlers(rewrite, rest))}
      className={cn(
        controlClass,
        controlSizes[size],
        leading && "pl-8",
        trailing && "pr-9",
        className,
      )}
    />
  );
  if (!leading && !trailing) return input;

  return (
    <div className="relative w-full min-w-0">
      {leading ? (
        <span
          aria-hidden="true"
          className="pointer-events-none absolute inset-y-0 left-2.5 grid place-items-center text-muted-foreground [&_svg]:size-4"
        >
          {leading}
        </span>
      ) : null}
      {input}
      {trailing ? (
        <span className="absolute inset-y-0 right-1 flex items-center text-sm text-muted-foreground">
          {trailing}
        </span>
      ) : null}
    </div>
  );
}
