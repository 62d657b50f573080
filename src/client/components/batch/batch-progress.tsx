import { Download } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Progress } from "@/components/ui/progress";
import { formatNumber } from "@/lib/format-number";
import { BatchResults, DoneButton } from "./batch-results";
import { exportResults } from "./export-results";
import { countOutcomes } from "./result";
import type { BatchState } from "./use-batch";

type BatchProgressProps = {
  state: BatchState;
  onStop: () => void;
  /** Names the successes that come with a message, which are counted by themselves. */
  messageLabel?: string;
};

/** A running batch, then its result. */
export function BatchProgress({ state, onStop, messageLabel }: BatchProgressProps) {
  const { hosts, results, isRunning } = state;

  return (
    <BatchResults
      label="每台主机的结果"
      results={results}
      footer={isRunning ? <StopButton onStop={onStop} /> : <EndButtons state={state} />}
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

function EndButtons({ state }: { state: BatchState }) {
  return (
    <>
      <Button variant="outline" onClick={() => exportResults(state)}>
        <Download />
        导出结果
      </Button>
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
  if (!wasStopped(state)) return `${label}完成 ${count}`;

  const left = hosts.length - results.length;
  return `已停止：完成 ${count}，其余 ${formatNumber(left)} ${unit}未执行`;
}

/** Hosts, or assignments where a host is there once for each of its users. */
function unitOf(hosts: BatchState["hosts"]): string {
  const isEachOnce = new Set(hosts.map(({ id }) => id)).size === hosts.length;
  return isEachOnce ? "台" : "条分配";
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
