import { cva, type VariantProps } from "class-variance-authority";
import type { ComponentProps } from "react";
import { cn } from "@/lib/cn";

export type BadgeTone = "neutral" | "accent" | "success" | "warning" | "danger" | "info";

/** Words or an icon on a pale ground. */
export const softTones = {
  neutral: "bg-secondary text-muted-foreground",
  accent: "bg-primary-soft text-primary-ink",
  success: "bg-success-soft text-success-ink",
  warning: "bg-warning-soft text-warning-ink",
  danger: "bg-danger-soft text-danger-ink",
  info: "bg-info-soft text-info-ink",
} as const;

const badgeVariants = cva(
  "inline-flex h-5 w-fit shrink-0 items-center gap-1 rounded-full px-2 text-xs font-medium whitespace-nowrap [&_svg]:size-3",
  {
    variants: {
      tone: softTones,
      dot: { true: "bg-transparent px-0 text-foreground", false: "" },
    },
    defaultVariants: { tone: "neutral", dot: false },
  },
);

/** Dots and bars. */
export const solidTones = {
  neutral: "bg-subtle-foreground",
  accent: "bg-primary dark:bg-primary-ink",
  success: "bg-success dark:bg-success-ink",
  warning: "bg-warning dark:bg-warning-ink",
  danger: "bg-danger dark:bg-danger-ink",
  info: "bg-info dark:bg-info-ink",
} as const;

type BadgeProps = ComponentProps<"span"> & Omit<VariantProps<typeof badgeVariants>, "tone"> & { tone?: BadgeTone };

/** `dot` draws a coloured dot before plain text, for states in lists. */
export function Badge({ tone = "neutral", dot = false, className, children, ...rest }: BadgeProps) {
  return (
    <span data-slot="badge" className={cn(badgeVariants({ tone, dot }), className)} {...rest}>
      {dot ? <StatusDot tone={tone} /> : null}
      {children}
    </span>
  );
}

/** The dot alone; put words beside it or an `aria-label` on its parent. `pulse` for something in motion. */
export function StatusDot({ tone, pulse = false }: { tone: BadgeTone; pulse?: boolean }) {
  return (
    <span
      aria-hidden="true"
      className={cn("inline-block size-2 shrink-0 rounded-full", solidTones[tone], pulse && "animate-shimmer")}
    />
  );
}
