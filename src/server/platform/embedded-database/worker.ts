import { parentPort, workerData } from "node:worker_threads";
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";
import { SharedPostgres } from "./postgres.ts";

export interface WorkerTask {
  readonly directory: string;
  readonly socket: string;
}

export type WorkerMessage =
  | { readonly kind: "listening" | "pong" }
  | { readonly kind: "log"; readonly line: string };

const MAX_CONNECTIONS = 100;

if (parentPort === null) {
  // A process of its own, started to create the directory.
  const postgres = await SharedPostgres.open(process.argv[2] ?? "", console.error);
  await postgres.close();
} else {
  const parent = parentPort;
  const post = (message: WorkerMessage) => parent.postMessage(message);
  const { directory, socket }: WorkerTask = workerData;
  const postgres = await SharedPostgres.open(directory, (line) => post({ kind: "log", line }));
  const server = new PGLiteSocketServer({
    db: postgres,
    maxConnections: MAX_CONNECTIONS,
    path: socket,
  });
  await server.start();
  parent.on("message", async (message: "ping" | "close") => {
    if (message === "ping") return post({ kind: "pong" });
    parent.close();
    await server.stop();
    await postgres.exec("CHECKPOINT");
    await postgres.close();
  });
  post({ kind: "listening" });
}
