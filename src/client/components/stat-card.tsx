import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { type BadgeTone, softTones } from "@/components/ui/badge";
import { Skeleton } from "@/components/ui/skeleton";
import { cn } from "@/lib/cn";
import { NOTHING } from "@/lib/format";
import { formatNumber } from "@/lib/format-number";

type StatCardProps = {
  label: string;
  /** Undefined while it loads. */
  value: number | string | undefined;
  hint?: ReactNode;
  icon?: LucideIcon;
  /** Colours the icon; the number stays black. */
  tone?: BadgeTone;
  href?: string | undefined;
  className?: string;
};

function StatValue({ value }: Pick<StatCardProps, "value">) {
  if (value === undefined) return <Skeleton className="h-7 w-16" />;

  // In an element, as a translated page needs it where text takes the place of an element.
  return <span>{typeof value === "number" ? formatNumber(value) : value || NOTHING}</span>;
}

export function StatCard({
  label,
  value,
  hint,
  icon: Icon,
  tone = "neutral",
  href,
  className,
}: StatCardProps) {
  const classes = cn(
    "block min-w-0 rounded-md border bg-card p-4 shadow-xs max-[22.5rem]:p-3",
    className,
  );
  // Two of them share the narrowest phones: there everything shrinks a little, so that number and
  // label stay whole.
  const content = (
    <span className="flex items-start justify-between gap-3 max-[22.5rem]:gap-1">
      <span className="min-w-0">
        <span className="block truncate text-sm text-muted-foreground">{label}</span>
        <span className="mt-1 block h-8 text-2xl font-semibold whitespace-nowrap tabular-nums max-[22.5rem]:text-xl">
          <StatValue value={value} />
        </span>
        {hint ? <span className="mt-1 block text-xs text-muted-foreground">{hint}</span> : null}
      </span>
      {Icon ? (
        <span
          className={cn(
            "grid size-8 shrink-0 place-items-center rounded-md max-[22.5rem]:size-6 lg:max-xl:hidden",
            softTones[tone],
          )}
        >
          <Icon className="size-4" />
        </span>
      ) : null}
    </span>
  );
  if (href === undefined) return <div className={classes}>{content}</div>;

  return (
    <Link
      href={href}
      className={cn(
        classes,
        "transition-[border-color,box-shadow] hover:border-border-strong hover:shadow-sm",
      )}
    >
      {content}
    </Link>
  );
}
