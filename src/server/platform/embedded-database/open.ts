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

  const thread = resources.use(
    new DatabaseThread({ directory: join(dataDir, "pg"), socket }, options),
  );
  await thread.listening;
  await chmod(socket, 0o600);

  const opened = resources.move();
  return {
    connection: connectionTo(host),
    failed: thread.failed,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** For `pg`. The password is not checked: only the user of this process can open the socket. */
export function connectionTo(host: string) {
  return { host, port: PORT, user: "postgres", database: "postgres", password: "embedded" };
}

/**
 * The thread that runs PostgreSQL. It fails when the thread ends by itself, or does not answer
 * pings: a trap may spin for ever without ending it (README.md).
 */
class DatabaseThread implements AsyncDisposable {
  readonly #worker: Worker;
  readonly #options: EmbeddedDatabaseOptions;
  readonly #pingTimeout: number;
  readonly #listening = Promise.withResolvers<void>();
  readonly #failed = Promise.withResolvers<Error>();
  readonly #exited: Promise<boolean>;
  /** When the thread last said anything. */
  #answeredAt = 0;
  #pinging: NodeJS.Timeout | undefined;
  /** It is being closed, or has failed: what happens now is no failure. */
  #isOver = false;

  constructor(task: WorkerTask, options: EmbeddedDatabaseOptions) {
    this.#options = options;
    this.#pingTimeout = options.pingTimeout ?? PING_TIMEOUT_MS;
    this.#worker = new Worker(WORKER, {
      workerData: task,
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 128, stackSizeMb: 32 },
    });
    this.#exited = new Promise((resolve) => this.#worker.once("exit", () => resolve(true)));
    this.#worker.on("message", (message: WorkerMessage) => this.#receive(message));
    this.#worker.on("error", (error) => this.#fail(error));
    this.#worker.on("exit", (code) => this.#fail(new Error(`its thread ended with code ${code}`)));
  }

  /** Rejects when the thread fails before. */
  get listening(): Promise<void> {
    return this.#listening.promise;
  }

  get failed(): Promise<Error> {
    return this.#failed.promise;
  }

  #receive(message: WorkerMessage): void {
    this.#answeredAt = performance.now();
    switch (message.kind) {
      case "listening":
        this.#beginPinging();
        this.#listening.resolve();
        break;
      case "log":
        this.#log(message.line);
        break;
      case "pong":
        break;
    }
  }

  #beginPinging(): void {
    const interval = Math.min(PING_INTERVAL_MS, this.#pingTimeout / 2);
    this.#pinging = setInterval(() => this.#ping(), interval).unref();
  }

  #ping(): void {
    const isSilent = performance.now() - this.#answeredAt > this.#pingTimeout;
    if (isSilent) this.#fail(new Error("PostgreSQL does not answer"));
    else this.#worker.postMessage("ping");
  }

  #log(line: string): void {
    const level = /\b(FATAL|PANIC)\b/.test(line) ? "error" : "debug";
    this.#options.log[level]({ postgres: true }, line);
  }

  #fail(cause: unknown): void {
    clearInterval(this.#pinging);
    if (this.#isOver) return;

    this.#isOver = true;
    const error = new Error("the embedded PostgreSQL failed", { cause });
    this.#options.log.error({ err: error }, error.message);
    this.#failed.resolve(error);
    this.#listening.reject(error);
    void this.#worker.terminate();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#pinging);
    this.#isOver = true;
    this.#worker.postMessage("close");
    const hasEnded = await Promise.race([
      this.#exited,
      sleep(CLOSE_TIMEOUT_MS, false, { ref: false }),
    ]);
    if (hasEnded) return;

    this.#options.log.warn(
      "the embedded database did not close in time; the next start recovers it",
    );
    await this.#worker.terminate();
  }
}
