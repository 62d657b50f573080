import { extendedExpiry } from "@shared/time.ts";
import { ArrowRight } from "lucide-react";
import { formatDate, formatTimeLeft } from "@/lib/format";
import { useNow } from "@/lib/use-now";

type ExtensionPreviewProps = {
  expiry: number;
  days: number;
  /** What extends it: "标记完成后". */
  when: string;
};

export function ExtensionPreview({ expiry, days, when }: ExtensionPreviewProps) {
  const now = useNow();
  return (
    <div aria-live="polite" className="rounded-md bg-muted px-3.5 py-2.5 text-sm tabular-nums">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1.5">
        <div>
          <p className="text-xs text-muted-foreground">当前到期 · {formatTimeLeft(expiry, now)}</p>
          <p>{formatDate(expiry)}</p>
        </div>
        <ArrowRight className="size-4 text-muted-foreground" />
        <div>
          <p className="text-xs text-muted-foreground">{when}到期</p>
          <p className="font-medium">{formatDate(extendedExpiry(expiry, days, now))}</p>
        </div>
      </div>
      <p className="mt-1.5 text-xs text-muted-foreground">
        {expiry < now
          ? `已经到期，从完成续费的时间起延长 ${days} 天`
          : `从当前到期时间起延长 ${days} 天`}
      </p>
    </div>
  );
}
