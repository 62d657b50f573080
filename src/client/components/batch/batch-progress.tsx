import { Download } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Progress } from "@/components/ui/progress";
import { formatNumber } from "@/lib/format-number";
import { BatchResults, DoneButton } from "./batch-results";
import { exportResults } from "./export-results";
import type { BatchState } from "./use-batch";

type BatchProgressProps = {
  state: BatchState;
  onStop: () => void;
  /** Names the successes that come with a message, which are counted by themselves. */
  messageLabel?: string;
};

/** A running batch, then its result. */
export function BatchProgress({ state, onStop, messageLabel }: BatchProgressProps) {
  const { label, hosts, results, isRunning } = state;
  const left = hosts.length - results.length;
  const isStopped = !isRunning && left > 0;
  const failed = results.filter(({ ok }) => !ok).length;
  const withMessage = messageLabel
    ? results.filter(({ ok, message }) => ok && message !== undefined).length
    : 0;

  const end = isStopped ? "已停止：完成" : `${label}完成`;
  const endTone = isStopped || failed > 0 ? "warning" : "success";
  const what = isRunning ? `正在${label}` : end;
  const rest = isStopped ? `，其余 ${formatNumber(left)} 台未执行` : "";

  return (
    <BatchResults
      label="每台主机的结果"
      results={results}
      footer={
        isRunning ? (
          <Button variant="outline" onClick={onStop}>
            停止后续主机
          </Button>
        ) : (
          <>
            <Button variant="outline" onClick={() => exportResults(state)}>
              <Download />
              导出结果
            </Button>
            <DoneButton />
          </>
        )
      }
    >
      <div className="grid gap-2">
        <p role="status" className="flex flex-wrap items-center gap-x-3 tabular-nums">
          <span className={isStopped ? "font-medium text-warning-ink" : "font-medium"}>
            {`${what} ${formatNumber(results.length)} / ${formatNumber(hosts.length)} 台${rest}`}
          </span>
          <span className="text-sm text-success-ink">{`成功 ${results.length - failed - withMessage}`}</span>
          {withMessage > 0 ? (
            <span className="text-sm">{`${messageLabel} ${withMessage}`}</span>
          ) : null}
          {failed > 0 ? <span className="text-sm text-danger-ink">{`失败 ${failed}`}</span> : null}
        </p>
        <Progress
          value={results.length / hosts.length}
          label="批量操作进度"
          size="sm"
          tone={isRunning ? "accent" : endTone}
        />
      </div>
    </BatchResults>
  );
}
