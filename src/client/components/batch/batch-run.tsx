import { type BatchHosts, type BatchHostsInput, MAX_BATCH_HOSTS } from "@shared/batch.ts";
import type { Host } from "@shared/hosts.ts";
import { Download } from "lucide-react";
import { useRef, useState } from "react";
import { errorMessage, isSessionOver } from "@/api/errors";
import { hostTitle } from "@/components/hosts/host-display";
import { Button } from "@/components/ui/button";
import { Progress } from "@/components/ui/progress";
import { formatDate } from "@/lib/format";
import { formatNumber } from "@/lib/format-number";
import { serverNow } from "@/lib/server-time";
import { BatchResults, DoneButton, type Result } from "./batch-results";

export type BatchOperation = BatchHostsInput["operation"];

export const BATCH_LABELS: Readonly<Record<BatchOperation, string>> = {
  sync: "同步",
  assign: "分配",
  unassign: "取消分配",
};

type BatchState = {
  /** What is done to the hosts. */
  label: string;
  hosts: readonly Host[];
  /** In the order of the hosts; those that were not reached have none. */
  results: readonly Result[];
  isRunning: boolean;
};

type Send = (hostIds: string[]) => Promise<BatchHosts>;

/** Runs one operation over many hosts, chunk by chunk, with a result per host. */
export function useBatch() {
  const [state, setState] = useState<BatchState | null>(null);
  const stopped = useRef(false);

  /** Resolves with the ids of the hosts that it failed for and those that it did not reach. */
  async function run(
    label: string,
    hosts: readonly Host[],
    send: Send,
    size = MAX_BATCH_HOSTS,
  ): Promise<string[]> {
    stopped.current = false;
    const begun = { label, hosts };
    let results: readonly Result[] = [];
    setState({ ...begun, results, isRunning: true });
    for (let from = 0; from < hosts.length && !stopped.current; from += size) {
      results = [...results, ...(await runChunk(send, hosts.slice(from, from + size)))];
      setState({ ...begun, results, isRunning: true });
    }
    setState({ ...begun, results, isRunning: false });
    const done = new Set(results.filter(({ ok }) => ok).map(({ id }) => id));
    return hosts.map(({ id }) => id).filter((id) => !done.has(id));
  }

  /** A failed call is a failure of each of its hosts; the rest goes on. */
  async function runChunk(send: Send, chunk: readonly Host[]): Promise<Result[]> {
    try {
      const { results } = await send(chunk.map(({ id }) => id));
      return chunk.map((host) => ({
        ...results.find(({ hostId }) => hostId === host.id),
        id: host.id,
        host,
      }));
    } catch (error) {
      // The next chunk would be sent with the token of the next user.
      if (isSessionOver(error)) stopped.current = true;
      return chunk.map((host) => ({ id: host.id, host, ok: false, message: errorMessage(error) }));
    }
  }

  /** Finishes the running chunk and starts no other. */
  function stop(): void {
    stopped.current = true;
  }

  return { state, run, stop };
}

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
          tone={isRunning ? "accent" : isStopped || failed > 0 ? "warning" : "success"}
        />
      </div>
    </BatchResults>
  );
}

function exportResults({ label, hosts, results }: BatchState): void {
  const rows = hosts.map((host, index) => {
    const result = results[index];
    const outcome = result === undefined ? "未执行" : result.ok ? "成功" : "失败";
    return [hostTitle(host), host.ucloudId, outcome, result?.message ?? ""];
  });
  downloadCsv(`批量${label}结果-${formatDate(serverNow())}.csv`, [
    ["主机", "资源 ID", "结果", "说明"],
    ...rows,
  ]);
}

/** Saves rows of cells as a CSV file. The byte order mark makes Excel read it as UTF-8. */
function downloadCsv(fileName: string, rows: readonly (readonly string[])[]): void {
  const text = rows.map((cells) => `${cells.map(quoted).join(",")}\r\n`).join("");
  const url = URL.createObjectURL(new Blob(["\uFEFF", text], { type: "text/csv;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = fileName;
  link.click();
  // The browser may still be reading it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** A spreadsheet evaluates a cell that begins like a formula. */
function quoted(cell: string): string {
  const text = /^[=+\-@\t]/.test(cell) ? `'${cell}` : cell;
  return `"${text.replaceAll('"', '""')}"`;
}
