import { parentPort, workerData } from "node:worker_threads";
import { serve } from "./serve.ts";
import { SharedPostgres } from "./shared-postgres.ts";
import type { FromWorker, ToWorker, WorkerTask } from "./worker-messages.ts";

// Structured clone carries no types; start-worker.ts is the only one who starts this file.
const { directory, listenOn }: WorkerTask = workerData;
if (parentPort === null) throw new Error("This file runs in a worker thread only.");
const parent = parentPort;

const postgres = await SharedPostgres.open({
  directory,
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
post({ kind: "listening", port: service.port });

function post(message: FromWorker): void {
  parent.postMessage(message);
}

async function close(): Promise<void> {
  parent.close();
  await service[Symbol.asyncDispose]();
  await postgres.exec("CHECKPOINT");
  await postgres.close();
}
