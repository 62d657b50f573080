import type { Host } from "@shared/hosts.ts";
import { ClockAlert } from "lucide-react";

export const STALE = "数据可能已过时";

/** In lists, beside the state that may not be the present one any more. */
export function StaleMark({ host: { isStale } }: { host: Pick<Host, "isStale"> }) {
  if (!isStale) return null;
  return (
    <span title={STALE} className="inline-flex shrink-0 text-warning-ink">
      <ClockAlert className="size-3.5" />
      <span className="sr-only">{STALE}</span>
    </span>
  );
}
