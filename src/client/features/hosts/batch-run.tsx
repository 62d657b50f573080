import { type BatchHostsInput, MAX_BATCH_HOSTS } from "@shared/batch.ts";
import type { Host } from "@shared/hosts.ts";
import { Download } from "lucide-react";
import { useRef, useState } from "react";
import { errorMessage, isSessionOver } from "@/api/errors";
import { trpc } from "@/api/trpc";
import { Button } from "@/components/ui/button";
import { Progress } from "@/components/ui/progress";
import { currentSeconds, formatDate } from "@/lib/format";
import { BatchResults, DoneButton, type Result } from "./batch-results";
import { hostTitle } from "./host-display";

export type BatchOperation = BatchHostsInput["operation"];

export const BATCH_LABELS: Readonly<Record<BatchOperation, string>> = {
  sync: "同步",
  assign: "分配",
  unassign: "取消分配",
};

/** A sync calls the provider for every host; small chunks stay within the time-out of a call. */
const SYNC_CHUNK_SIZE = 20;

type DistributiveOmit<Union, Keys extends PropertyKey> = Union extends unknown ? Omit<Union, Keys> : never;
/** The call's input without its hosts. */
export type BatchCommand = DistributiveOmit<BatchHostsInput, "hostIds">;

type BatchState = {
  operation: BatchOperation;
  total: number;
  results: readonly Result[];
  isRunning: boolean;
};

/** Runs one operation over many hosts, chunk by chunk, with a result per host. */
export function useBatch() {
  const batch = trpc.hosts.batch.useMutation({ meta: { errorTitle: "批量操作失败" } });
  const [state, setState] = useState<BatchState | null>(null);
  const stopped = useRef(false);

  /** Resolves with the results of the hosts that it reached. */
  async function run(command: BatchCommand, hosts: readonly Host[]): Promise<readonly Result[]> {
    stopped.current = false;
    const begun = { operation: command.operation, total: hosts.length };
    let results: readonly Result[] = [];
    setState({ ...begun, results, isRunning: true });
    const size = command.operation === "sync" ? SYNC_CHUNK_SIZE : MAX_BATCH_HOSTS;
    for (let from = 0; from < hosts.length && !stopped.current; from += size) {
      results = [...results, ...(await runChunk(command, hosts.slice(from, from + size)))];
      setState({ ...begun, results, isRunning: true });
    }
    setState({ ...begun, results, isRunning: false });
    return results;
  }

  /** A failed call is a failure of each of its hosts; the rest goes on. */
  async function runChunk(command: BatchCommand, chunk: readonly Host[]): Promise<Result[]> {
    try {
      const { results } = await batch.mutateAsync({ ...command, hostIds: chunk.map(({ id }) => id) });
      return chunk.map((host) => ({ ...results.find(({ hostId }) => hostId === host.id), id: host.id, host }));
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

/** A running batch, then its result. */
export function BatchProgress({ state, onStop }: { state: BatchState; onStop: () => void }) {
  const { operation, total, results, isRunning } = state;
  const label = BATCH_LABELS[operation];
  const done = results.filter(({ ok }) => ok).length;
  const failed = results.length - done;
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
          <span className="font-medium">
            {isRunning ? `正在${label}` : `${label}完成`} {results.length} / {total} 台
          </span>
          <span className="text-sm text-success-ink">成功 {done}</span>
          {failed > 0 ? <span className="text-sm text-danger-ink">失败 {failed}</span> : null}
        </p>
        <Progress
          value={results.length / total}
          label="批量操作进度"
          size="sm"
          tone={isRunning ? "accent" : failed > 0 ? "warning" : "success"}
        />
      </div>
    </BatchResults>
  );
}

function exportResults({ operation, results }: BatchState): void {
  const rows = results.map(({ host, ok, message }) => [
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
