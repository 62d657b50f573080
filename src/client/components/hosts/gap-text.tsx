import { cn } from "@/lib/cn";
import { useNow } from "@/lib/use-now";
import { gapText, type PromisedHost, providerGap } from "./provider-gap";

type GapTextProps = PromisedHost & { className?: string };

/** That the provider ends before the client; nothing where it does not. */
export function GapText({ className, ...promised }: GapTextProps) {
  const gap = providerGap(promised, useNow());
  if (gap === null) return null;

  const tone = gap.isOver ? "text-danger-ink" : "text-warning-ink";
  return <span className={cn("text-xs font-medium", tone, className)}>{gapText(gap)}</span>;
}
