import { parentPort, workerData } from "node:worker_threads";
import { loadCompiledCode } from "./compiled-code.ts";
import { serve } from "./serve.ts";
import { SharedPostgres } from "./shared-postgres.ts";
import type { FromWorker, ToWorker, WorkerTask } from "./worker-messages.ts";

/** Milliseconds between two looks whether more has been compiled; each takes 3 ms. */
const KEEP_INTERVAL = 60_000;

// Structured clone carries no types; start-worker.ts is the only one who starts this file.
const { directory, listenOn, compiledCodeDir }: WorkerTask = workerData;
if (parentPort === null) throw new Error("This file runs in a worker thread only.");
const parent = parentPort;

const code = compiledCodeDir === null ? null : await loadCompiledCode(compiledCodeDir);
const postgres = await SharedPostgres.open({
  directory,
  module: code?.module,
  onCrash: (error) => post({ kind: "crashed", error }),
  onLogLine: (text) => post({ kind: "log", level: /\b(FATAL|PANIC)\b/.test(text) ? "error" : "debug", text }),
});
const service = await serve({
  postgres,
  listenOn,
  reportError: (text) => post({ kind: "log", level: "error", text }),
});
parent.on("message", (message: ToWorker) => {
  switch (message.kind) {
    case "measure":
      return post({ kind: "measured", wasm: postgres.Module.HEAPU8.byteLength, ...service.measure() });
    case "close":
      return void close();
  }
});
post({ kind: "listening", port: service.port, compiledCode: code?.found ?? 0 });
// For those that are killed.
const keeping = setInterval(() => void code?.keep(), KEEP_INTERVAL);

function post(message: FromWorker): void {
  parent.postMessage(message);
}

async function close(): Promise<void> {
  parent.close();
  clearInterval(keeping);
  await service[Symbol.asyncDispose]();
  await postgres.exec("CHECKPOINT");
  await postgres.close();
  await code?.keep();
}
