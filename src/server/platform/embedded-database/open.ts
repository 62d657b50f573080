import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { BaseLogger } from "pino";
import { prepareDataDir, WORKER } from "./data-dir.ts";
import type { WorkerMessage, WorkerTask } from "./worker.ts";

/** On macOS, in bytes. */
const MAX_SOCKET_PATH = 103;
const PORT = 5432;
/** `pg` derives this name from the port. */
const SOCKET = `.s.PGSQL.${PORT}`;

const CLOSE_TIMEOUT_MS = 5_000;
const PING_INTERVAL_MS = 5_000;
/** Longer than any statement of the product: the thread does not answer during one. */
const PING_TIMEOUT_MS = 120_000;

export interface EmbeddedDatabase extends AsyncDisposable {
  readonly connection: ReturnType<typeof connectionTo>;
  /** Resolves when PostgreSQL ended by itself or stopped answering. Every query fails then. */
  readonly failed: Promise<Error>;
}

export interface EmbeddedDatabaseOptions {
  readonly dataDir: string;
  readonly log: Pick<BaseLogger, "debug" | "info" | "warn" | "error">;
  readonly signal?: AbortSignal | undefined;
  /** How long PostgreSQL may take to answer, in ms. */
  readonly pingTimeout?: number;
}

/**
 * PostgreSQL in a thread, reached through a socket. Throws StartError. Close all connections before
 * disposing it.
 */
export async function openEmbeddedDatabase(
  options: EmbeddedDatabaseOptions,
): Promise<EmbeddedDatabase> {
  const dataDir = resolve(options.dataDir);
  await using resources = new AsyncDisposableStack();
  resources.use(await prepareDataDir(dataDir, options));
  const isTooLong = Buffer.byteLength(join(dataDir, SOCKET)) > MAX_SOCKET_PATH;
  const host = isTooLong ? await mkdtemp(join(tmpdir(), "host-console-")) : dataDir;
  if (isTooLong) resources.defer(() => rm(host, { recursive: true }));
  const socket = join(host, SOCKET);
  await rm(socket, { force: true });
  resources.defer(() => rm(socket, { force: true }));
  const worker = startWorker({ directory: join(dataDir, "pg"), socket }, options);
  resources.defer(worker.close);
  await worker.listening;
  await chmod(socket, 0o600);
  const opened = resources.move();
  return {
    connection: connectionTo(host),
    failed: worker.failed,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** For `pg`. The password is not checked: only the user of this process can open the socket. */
export function connectionTo(host: string) {
  return { host, port: PORT, user: "postgres", database: "postgres", password: "embedded" };
}

function startWorker(
  task: WorkerTask,
  { log, pingTimeout = PING_TIMEOUT_MS }: EmbeddedDatabaseOptions,
) {
  const worker = new Worker(WORKER, {
    workerData: task,
    execArgv: [],
    resourceLimits: { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 128, stackSizeMb: 32 },
  });
  const listening = Promise.withResolvers<void>();
  const failed = Promise.withResolvers<Error>();
  const exited = new Promise<boolean>((resolve) => worker.once("exit", () => resolve(true)));
  let isClosing = false;
  let answeredAt = 0;
  let pinging: NodeJS.Timeout | undefined;

  function ping(): void {
    if (performance.now() - answeredAt > pingTimeout) fail(new Error("PostgreSQL does not answer"));
    else worker.postMessage("ping");
  }

  function fail(cause: unknown): void {
    clearInterval(pinging);
    if (isClosing) return;
    isClosing = true;
    const error = new Error("the embedded PostgreSQL failed", { cause });
    log.error({ err: error }, error.message);
    failed.resolve(error);
    listening.reject(error);
    void worker.terminate();
  }

  worker.on("message", (message: WorkerMessage) => {
    answeredAt = performance.now();
    if (message.kind === "listening") {
      pinging = setInterval(ping, Math.min(PING_INTERVAL_MS, pingTimeout / 2)).unref();
      listening.resolve();
    } else if (message.kind === "log") {
      log[/\b(FATAL|PANIC)\b/.test(message.line) ? "error" : "debug"](
        { postgres: true },
        message.line,
      );
    }
  });
  worker.on("error", fail);
  worker.on("exit", (code) => fail(new Error(`its thread ended with code ${code}`)));
  return {
    listening: listening.promise,
    failed: failed.promise,
    async close() {
      clearInterval(pinging);
      isClosing = true;
      worker.postMessage("close");
      if (await Promise.race([exited, sleep(CLOSE_TIMEOUT_MS, false, { ref: false })])) return;
      log.warn("the embedded database did not close in time; the next start recovers it");
      await worker.terminate();
    },
  };
}
