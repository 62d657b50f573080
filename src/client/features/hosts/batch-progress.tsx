import { Download } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Progress } from "@/components/ui/progress";
import { downloadCsv } from "@/lib/download-csv";
import { currentSeconds, formatDate } from "@/lib/format";
import { BatchResults, DoneButton } from "./batch-results";
import { hostTitle } from "./host-facts";
import { BATCH_LABELS, type BatchState } from "./use-batch";

/** A running batch, then its result. */
export function BatchProgress({ state, onStop }: { state: BatchState; onStop: () => void }) {
  const { operation, total, lines, isRunning } = state;
  const label = BATCH_LABELS[operation];
  const done = lines.filter(({ ok }) => ok).length;
  const failed = lines.length - done;
  return (
    <BatchResults
      label="每台主机的结果"
      lines={lines}
      footer={
        isRunning ? (
          <Button variant="outline" onClick={onStop}>
            停止后续主机
          </Button>
        ) : (
          <>
            <Button variant="outline" onClick={() => exportResults(state)}>
              <Download aria-hidden="true" />
              导出结果
            </Button>
            <DoneButton />
          </>
        )
      }
    >
      <div className="grid gap-2">
        <p role="status" className="flex flex-wrap items-center gap-x-3 tabular-nums">
          <span className="font-medium">
            {isRunning ? `正在${label}` : `${label}完成`} {lines.length} / {total} 台
          </span>
          <span className="text-sm text-success-ink">成功 {done}</span>
          {failed > 0 ? <span className="text-sm text-danger-ink">失败 {failed}</span> : null}
        </p>
        <Progress
          value={lines.length / total}
          label="批量操作进度"
          size="sm"
          tone={isRunning ? "accent" : failed > 0 ? "warning" : "success"}
        />
      </div>
    </BatchResults>
  );
}

function exportResults({ operation, lines }: BatchState): void {
  const rows = lines.map(({ host, ok, message }) => [
    hostTitle(host),
    host.ucloudId,
    ok ? "成功" : "失败",
    message ?? "",
  ]);
  downloadCsv(`批量${BATCH_LABELS[operation]}结果-${formatDate(currentSeconds())}.csv`, [
    ["主机", "资源 ID", "结果", "说明"],
    ...rows,
  ]);
}
