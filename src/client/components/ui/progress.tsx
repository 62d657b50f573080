import { type BadgeTone, solidTones } from "@/components/ui/badge";
import { cn } from "@/lib/cn";

type ProgressProps = {
  /** 0…1; null while it is unknown. */
  value: number | null;
  /** What is progressing, for screen readers. */
  label: string;
  /** Said in place of the percentage: "已同步 120 / 400 台". */
  valueText?: string;
  tone?: BadgeTone;
  size?: "xs" | "sm" | "md";
};

const sizes = { xs: "h-0.5", sm: "h-1", md: "h-2" } as const;

export function Progress({ value, label, valueText, tone = "accent", size = "md" }: ProgressProps) {
  const percent = value === null ? undefined : Math.round(Math.min(1, Math.max(0, value)) * 100);
  return (
    <div
      data-slot="progress"
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      aria-valuetext={valueText}
      className={cn("w-full overflow-hidden rounded-full bg-secondary", sizes[size])}
    >
      {percent === undefined ? (
        <div className={cn("h-full w-1/3 animate-sweep rounded-full", solidTones[tone])} />
      ) : (
        <div
          className={cn(
            "h-full origin-left rounded-full transition-transform duration-300",
            solidTones[tone],
          )}
          style={{ transform: `translateX(${percent - 100}%)` }}
        />
      )}
    </div>
  );
}
