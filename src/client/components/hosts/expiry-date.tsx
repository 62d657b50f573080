import { formatDate, NOTHING } from "@/lib/format";
import { ExpiryBadge } from "./expiry-badge";

/** `2026-12-01` with what is left of it. */
export function ExpiryDate({ at }: { at: number | null }) {
  if (at === null) return <span className="text-subtle-foreground">{NOTHING}</span>;
  return (
    <span className="flex items-center gap-1.5 whitespace-nowrap tabular-nums">
      {formatDate(at)}
      <ExpiryBadge expiry={at} />
    </span>
  );
}
