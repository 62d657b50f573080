import { CircleCheck, CircleX } from "lucide-react";
import { Progress } from "@/components/ui/progress";
import { BATCH_LABELS } from "./batch-operation";
import { hostTitle } from "./host-tab";
import type { BatchLine, BatchState } from "./use-batch";

/** What came of each host, failures first. */
export function BatchResults({ state }: { state: BatchState }) {
  const failed = state.lines.filter(({ ok }) => !ok);
  const done = state.lines.length - failed.length;
  const lines = [...failed, ...state.lines.filter(({ ok }) => ok)];
  return (
    <div className="grid gap-4">
      <div className="grid gap-2">
        <p role="status" className="flex flex-wrap items-center gap-x-3 tabular-nums">
          <span className="font-medium">
            {state.isRunning ? `正在${BATCH_LABELS[state.operation]}` : `${BATCH_LABELS[state.operation]}完成`}{" "}
            {state.lines.length} / {state.total} 台
          </span>
          <span className="text-sm text-success-ink">成功 {done}</span>
          {failed.length > 0 ? <span className="text-sm text-danger-ink">失败 {failed.length}</span> : null}
        </p>
        <Progress
          value={state.total === 0 ? null : state.lines.length / state.total}
          label="批量操作进度"
          size="sm"
          tone={state.isRunning ? "accent" : failed.length > 0 ? "warning" : "success"}
        />
      </div>
      {lines.length > 0 ? (
        <ul aria-label="每台主机的结果" className="divide-y rounded-md border">
          {lines.map((line) => (
            <ResultLine key={line.host.id} line={line} />
          ))}
        </ul>
      ) : null}
    </div>
  );
}

function ResultLine({ line: { host, ok, message } }: { line: BatchLine }) {
  const Icon = ok ? CircleCheck : CircleX;
  return (
    <li className="flex items-start gap-2.5 px-3 py-2 text-sm">
      <Icon aria-hidden="true" className={ok ? "mt-0.5 size-4 text-success-ink" : "mt-0.5 size-4 text-danger-ink"} />
      <span className="min-w-0 flex-1">
        <span className="block truncate">
          <span className="font-medium">{hostTitle(host)}</span>{" "}
          <span className="font-mono text-xs text-muted-foreground">{host.ucloudId}</span>
        </span>
        {message ? <span className="block text-muted-foreground [overflow-wrap:anywhere]">{message}</span> : null}
      </span>
      <span className={ok ? "text-success-ink" : "text-danger-ink"}>{ok ? "成功" : "失败"}</span>
    </li>
  );
}
