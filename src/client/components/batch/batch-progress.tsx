import { Download } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Progress } from "@/components/ui/progress";
import { formatNumber } from "@/lib/format-number";
import { BatchResults, DoneButton } from "./batch-results";
import { exportResults } from "./export-results";
import { countOutcomes, unitOf } from "./result";
import type { BatchState } from "./use-batch";

type BatchProgressProps = {
  state: BatchState;
  onStop: () => void;
  /** Begins again with what did not succeed. */
  onRetry: () => void;
  /** Names the successes that come with a message, which are counted by themselves. */
  messageLabel?: string;
};

/** A running batch, then its result. */
export function BatchProgress({ state, onStop, onRetry, messageLabel }: BatchProgressProps) {
  const { hosts, results, isRunning } = state;

  return (
    <BatchResults
      label="每台主机的结果"
      results={results}
      footer={
        isRunning ? <StopButton onStop={onStop} /> : <EndButtons state={state} onRetry={onRetry} />
      }
    >
      <div className="grid gap-2">
        <Counts state={state} messageLabel={messageLabel} />
        <Progress
          value={results.length / hosts.length}
          label="批量操作进度"
          size="sm"
          tone={toneOf(state)}
        />
      </div>
    </BatchResults>
  );
}

function StopButton({ onStop }: { onStop: () => void }) {
  return (
    <Button variant="outline" onClick={onStop}>
      停止后续主机
    </Button>
  );
}

type EndButtonsProps = Pick<BatchProgressProps, "state" | "onRetry">;

function EndButtons({ state, onRetry }: EndButtonsProps) {
  const { hosts, results } = state;
  const { succeeded, failed } = countOutcomes(results);
  const rest = hosts.length - succeeded;
  const which = rest === failed ? "失败" : "未成功";

  return (
    <>
      <Button variant="outline" onClick={() => void exportResults(state)}>
        <Download />
        导出结果
      </Button>
      {rest === 0 ? null : (
        <Button variant="outline" onClick={onRetry}>
          {`重试${which}的 ${formatNumber(rest)} ${unitOf(hosts)}`}
        </Button>
      )}
      <DoneButton />
    </>
  );
}

type CountsProps = { state: BatchState; messageLabel: string | undefined };

/** `分配完成 30 / 30 台 成功 29 失败 1`; successes with a message are counted by themselves. */
function Counts({ state, messageLabel }: CountsProps) {
  const { results } = state;
  const { succeeded, failed, unknown } = countOutcomes(results);
  const withMessage = messageLabel === undefined ? 0 : countWithMessage(results);

  return (
    <p role="status" className="flex flex-wrap items-center gap-x-3 tabular-nums">
      <span className={wasStopped(state) ? "font-medium text-warning-ink" : "font-medium"}>
        {progressText(state)}
      </span>
      <span className="text-sm text-success-ink">{`成功 ${succeeded - withMessage}`}</span>
      {withMessage > 0 ? <span className="text-sm">{`${messageLabel} ${withMessage}`}</span> : null}
      {failed > 0 ? <span className="text-sm text-danger-ink">{`失败 ${failed}`}</span> : null}
      {unknown > 0 ? (
        <span className="text-sm text-warning-ink">{`结果未知 ${unknown}`}</span>
      ) : null}
    </p>
  );
}

function countWithMessage(results: BatchState["results"]): number {
  const withMessage = results.filter(
    ({ outcome, message, isReadAgain }) =>
      outcome === "succeeded" && message !== undefined && isReadAgain !== true,
  );
  return withMessage.length;
}

function progressText(state: BatchState): string {
  const { label, hosts, results, isRunning } = state;
  const unit = unitOf(hosts);
  const count = `${formatNumber(results.length)} / ${formatNumber(hosts.length)} ${unit}`;
  if (isRunning) return `正在${label} ${count}`;
  if (!wasStopped(state)) return `${endText(state)} ${count}`;

  const left = hosts.length - results.length;
  return `已停止：完成 ${count}，其余 ${formatNumber(left)} ${unit}未执行`;
}

/** Nobody is told that something is complete of which nothing was done. */
function endText({ label, results }: BatchState): string {
  const { succeeded, failed } = countOutcomes(results);
  if (failed === results.length) return `${label}全部失败`;
  return succeeded === 0 ? `${label}结果未知` : `${label}完成`;
}

function toneOf(state: BatchState): "accent" | "warning" | "success" {
  if (state.isRunning) return "accent";

  const hasFailures = state.results.some(({ outcome }) => outcome !== "succeeded");
  return wasStopped(state) || hasFailures ? "warning" : "success";
}

/** By the person, or because the session ended or the server was not to be reached. */
function wasStopped({ hosts, results, isRunning }: BatchState): boolean {
  return !isRunning && results.length < hosts.length;
}
