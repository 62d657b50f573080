import type { ReactNode } from "react";
import { cn } from "@/lib/cn";
import { formatNumber } from "@/lib/format-number";

type CountChipProps = {
  label: string;
  /** Before the words: a dot or an icon. */
  mark?: ReactNode;
  count: number | undefined;
  isChosen: boolean;
  onClick: () => void;
};

/** One of the states that a list is filtered by, with the number of rows in it. */
export function CountChip({ label, mark, count, isChosen, onClick }: CountChipProps) {
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      onClick={onClick}
      className={cn(
        "inline-flex h-8 shrink-0 items-center gap-1.5 rounded-full border px-3 text-sm whitespace-nowrap transition-colors",
        isChosen
          ? "border-primary bg-primary-soft font-medium text-primary-ink"
          : "bg-card text-muted-foreground hover:bg-accent hover:text-foreground",
      )}
    >
      {mark}
      <span>{label}</span>
      <span className="min-w-2 tabular-nums">{count === undefined ? "" : formatNumber(count)}</span>
    </button>
  );
}
