import { formatAgo, formatDateTime } from "@/lib/format";
import { useNow } from "@/lib/use-now";

/** `3 小时前`, with the moment in the title. Unix seconds. */
export function RelativeTime({ at }: { at: number }) {
  return (
    <time dateTime={new Date(at * 1000).toISOString()} title={formatDateTime(at)}>
      {formatAgo(at, useNow())}
    </time>
  );
}
