import { formatAgo, formatDateTime } from "@/lib/format";
import { useNow } from "@/lib/use-now";

/** `3 小时前`, with the moment in the title. Unix seconds. */
export function RelativeTime({ at, className }: { at: number; className?: string }) {
  return (
    <time dateTime={new Date(at * 1000).toISOString()} title={formatDateTime(at)} className={className}>
      {formatAgo(at, useNow())}
    </time>
  );
}
