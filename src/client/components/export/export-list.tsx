import { isSessionOver, toastError } from "@/api/errors";
import { downloadFile } from "@/lib/download-file";
import { formatNumber } from "@/lib/format-number";
import { notify } from "@/lib/notify";
import type { CallDuringSession, SessionCall } from "@/session/during-session";
import { openDownload } from "../../../sdk/download.ts";
import { ExportProgress, ReceivedRows } from "./export-progress";
import { RowCounter } from "./row-counter";
import type { ExportRequest } from "./use-export";

/** What is there sooner needs no progress. */
const PATIENCE_MS = 400;
const CSV = "text/csv;charset=utf-8";

let startedCount = 0;

/**
 * Receives the file and saves it once it is whole. Its progress is a toast, so that it goes on, and
 * can be stopped, while the person turns to another page.
 */
export async function exportList(
  request: ExportRequest,
  callDuringSession: CallDuringSession,
): Promise<void> {
  startedCount += 1;
  const id = `export:${startedCount}`;
  const stop = new AbortController();
  const received = new ReceivedRows();
  const patience = setTimeout(showProgress, PATIENCE_MS);

  function showProgress(): void {
    notify.info("正在导出", {
      id,
      message: <ExportProgress received={received} total={request.total ?? null} />,
      action: { label: "停止", onClick: () => stop.abort() },
      isLasting: true,
    });
  }

  try {
    const { name, parts } = await callDuringSession((session) =>
      receive(request, session, stop.signal, received),
    );
    downloadFile(name, parts, CSV);
    notify.success("导出完成", { id, message: `${name}，${formatNumber(received.get())} 行` });
  } catch (error) {
    if (stop.signal.aborted) notify.info("已停止导出", { id, message: "没有保存文件" });
    else tellFailure(id, error, received);
  } finally {
    clearTimeout(patience);
  }
}

/** All of the file, since one whose transfer breaks must not be saved. */
async function receive(
  { list, input }: ExportRequest,
  { token, signal }: SessionCall,
  stopped: AbortSignal,
  received: ReceivedRows,
): Promise<{ name: string; parts: readonly BlobPart[] }> {
  const { page: _page, limit: _limit, ...filter } = input;
  const server = { base: `${location.origin}/`, token: () => token };
  const { fileName, content } = await openDownload(server, {
    name: list,
    filter,
    signal: AbortSignal.any([signal, stopped]),
  });

  const counter = new RowCounter();
  const parts: BlobPart[] = [];
  for await (const part of content) {
    parts.push(part);
    counter.add(part);
    received.set(counter.rows);
  }
  return { name: fileName, parts };
}

/** Nobody is told of a session that is over: the sign-in says so. */
function tellFailure(id: string, error: unknown, received: ReceivedRows): void {
  if (isSessionOver(error)) {
    notify.dismiss(id);
    return;
  }

  const isBroken = received.get() > 0;
  const broken = { message: "传输中断，没有保存文件，请重试" };
  toastError("导出失败", error, { id, ...(isBroken ? broken : {}) });
}
