import { expiryState } from "@shared/time.ts";
import type { ReactNode } from "react";
import { cn } from "@/lib/cn";
import { formatDate, formatTimeLeft, NOTHING } from "@/lib/format";
import { useNow } from "@/lib/use-now";
import { END_TONES } from "./end-tones";

type ExpiryDateProps = {
  /** Unix seconds; null draws a dash. */
  at: number | null;
  /** Of an end that nobody has to do anything about, however near it is. */
  isCalm?: boolean;
  className?: string;
  /** What else there is to say about the end, beside it or, where room is short, below. */
  children?: ReactNode;
};

/**
 * `2027-02-27`, in plain text; an end that is near or past is coloured and says how near:
 * `2026-12-02 还有 3 天`.
 */
export function ExpiryDate({ at, isCalm = false, className, children }: ExpiryDateProps) {
  const now = useNow();
  if (at === null) return <span className="text-subtle-foreground">{NOTHING}</span>;

  const state = isCalm ? "normal" : expiryState(at, now);
  const timeLeft = formatTimeLeft(at, now);

  return (
    <span
      title={timeLeft}
      className={cn(
        "inline-flex flex-wrap items-baseline gap-x-1.5 tabular-nums *:whitespace-nowrap",
        className,
        END_TONES[state],
      )}
    >
      <span>{formatDate(at)}</span>
      {state === "normal" ? null : <span className="text-xs font-medium">{timeLeft}</span>}
      {children}
    </span>
  );
}
