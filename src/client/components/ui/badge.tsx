import type { ReactNode } from "react";
import { cn } from "@/lib/cn";
import { wrapText } from "@/lib/wrap-text";

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

/** Dots and bars. */
export const solidTones = {
  neutral: "bg-subtle-foreground",
  accent: "bg-primary dark:bg-primary-ink",
  success: "bg-success dark:bg-success-ink",
  warning: "bg-warning dark:bg-warning-ink",
  danger: "bg-danger dark:bg-danger-ink",
  info: "bg-info dark:bg-info-ink",
} as const;

type BadgeProps = { tone?: BadgeTone; dot?: boolean; className?: string; children: ReactNode };

/** `dot` draws a coloured dot before plain text as large as that around it, for states in lists. */
export function Badge({ tone = "neutral", dot = false, className, children }: BadgeProps) {
  return (
    <span
      data-slot="badge"
      data-dot={dot || undefined}
      className={cn(
        "inline-flex h-5 w-fit shrink-0 items-center gap-1 rounded-full px-2 text-xs font-medium whitespace-nowrap [&_svg]:size-3",
        softTones[tone],
        // The baseline of the dot is not that of the words.
        dot && "h-auto bg-transparent px-0 align-top text-base text-foreground",
        className,
      )}
    >
      {dot ? <StatusDot tone={tone} /> : null}
      {wrapText(children)}
    </span>
  );
}

/**
 * The dot alone; put words beside it or an `aria-label` on its parent. `pulse` for something in
 * motion.
 */
export function StatusDot({ tone, pulse = false }: { tone: BadgeTone; pulse?: boolean }) {
  return (
    <span
      aria-hidden="true"
      data-slot="status-dot"
      data-tone={tone}
      className={cn(
        "inline-block size-2 shrink-0 rounded-full",
        solidTones[tone],
        pulse && "animate-shimmer",
      )}
    />
  );
}
