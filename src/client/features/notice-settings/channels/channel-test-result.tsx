import type { ChannelTest } from "@shared/notice-channels.ts";
import { CircleCheck, CircleX } from "lucide-react";
import { cn } from "@/lib/cn";
import { formatNumber } from "@/lib/format-number";

/** What the other side answered to a test; nothing before one. */
export function ChannelTestResult({ result }: { result: ChannelTest | undefined }) {
  return (
    <div aria-live="polite" className="empty:hidden">
      {result === undefined ? null : <Answer result={result} />}
    </div>
  );
}

function Answer({ result: { ok, message, latencyMs } }: { result: ChannelTest }) {
  const Icon = ok ? CircleCheck : CircleX;
  const ink = ok ? "text-success-ink" : "text-danger-ink";

  return (
    <div className="flex items-start gap-2 rounded-md border bg-muted/50 px-3.5 py-2.5 text-sm">
      <Icon className={cn("mt-0.5 size-4 shrink-0", ink)} />
      <div className="min-w-0 [overflow-wrap:anywhere]">
        <p className={cn("font-medium", ink)}>{ok ? "测试成功" : "测试未通过"}</p>
        <p className="text-muted-foreground">
          {message}
          <span className="whitespace-nowrap tabular-nums">{`（${formatNumber(latencyMs)} 毫秒）`}</span>
        </p>
      </div>
    </div>
  );
}
