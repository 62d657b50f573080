import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import type { BaseLogger } from "pino";
import { DataDirError, lockDataDir } from "./lock.ts";
import type { WorkerMessage, WorkerTask } from "./worker.ts";

/** Major version of the PostgreSQL in the pinned PGlite. */
const MAJOR = "18";
/** The longest path of a socket on the systems in use (macOS), in bytes. */
const MAX_SOCKET_PATH = 103;
const PORT = 5432;
/** `pg` derives this name from the port. */
const SOCKET = `.s.PGSQL.${PORT}`;
const WORKER = new URL(import.meta.url.endsWith(".ts") ? "./worker.ts" : "./worker.js", import.meta.url);

// Milliseconds.
const CREATE_TIMEOUT = 120_000;
const CLOSE_TIMEOUT = 5_000;
const PING_INTERVAL = 5_000;
/** Far longer than any statement of the product takes, for one statement keeps the thread from answering. */
const PING_TIMEOUT = 120_000;

/** For `pg`. The password is not checked: only the user of this process can open the socket. */
export interface EmbeddedConnection {
  /** The directory of the socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  readonly password: string;
}

export interface EmbeddedDatabase extends AsyncDisposable {
  readonly connection: EmbeddedConnection;
  /** Resolves when PostgreSQL ended by itself or stopped answering. Every query fails then. */
  readonly failed: Promise<Error>;
}

export interface EmbeddedDatabaseOptions {
  /** Created (0700) when it does not exist. */
  readonly dataDir: string;
  readonly log: Pick<BaseLogger, "debug" | "info" | "warn" | "error">;
  /** Stops the creation of a new database. */
  readonly signal?: AbortSignal;
  /** After how long without an answer PostgreSQL counts as failed, in ms. */
  readonly pingTimeout?: number;
}

/**
 * PostgreSQL in a thread of this process, reached through a socket. Throws DataDirError when the directory cannot be used.
 * Close all connections before disposing it.
 */
export async function openEmbeddedDatabase(options: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
  const dataDir = resolve(options.dataDir);
  const directory = join(dataDir, "pg");
  await using resources = new AsyncDisposableStack();
  try {
    // Locking writes, so a foreign directory is refused before.
    hasDatabase(dataDir);
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    resources.use(lockDataDir(dataDir));
    if (!hasDatabase(dataDir)) {
      options.log.info({ dataDir }, "creating the embedded database");
      await createDatabase(dataDir, directory, options.signal);
    }
  } catch (error) {
    throw error instanceof DataDirError ? error : unusable(dataDir, error);
  }
  const host = await socketDirectory(dataDir, resources);
  const socket = join(host, SOCKET);
  await rm(socket, { force: true });
  resources.defer(() => rm(socket, { force: true }));
  const worker = startWorker({ directory, socket }, options);
  resources.defer(worker.close);
  await worker.listening;
  await chmod(socket, 0o600);
  const opened = resources.move();
  return { connection: connectionTo(host), failed: worker.failed, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

/** How other processes of the same user reach the embedded database whose socket is in this directory. */
export function connectionTo(host: string): EmbeddedConnection {
  return { host, port: PORT, user: "postgres", database: "postgres", password: "embedded" };
}

/** Whether the data directory holds a database. Throws DataDirError when it holds one of another version, or something else. */
export function hasDatabase(dataDir: string): boolean {
  const directory = join(dataDir, "pg");
  if (!existsSync(directory)) return false;
  const versionFile = join(directory, "PG_VERSION");
  if (!existsSync(versionFile)) {
    if (readdirSync(directory).length === 0) return false;
    throw new DataDirError(`${directory} 不是空目录，也不是 PostgreSQL 数据目录：请移走其中的文件后再启动。`);
  }
  const major = readFileSync(versionFile, "utf8").trim();
  if (major === MAJOR) return true;
  throw new DataDirError(
    `${directory} 由 PostgreSQL ${major} 创建，本程序内置的是 PostgreSQL ${MAJOR}，不能直接打开，目录未作任何改动：` +
      "请用原版本程序执行 npm run backup 备份，再用 DATA_DIR 指定新的空目录，以本程序执行 npm run restore 还原（docs/backup.md）。",
  );
}

/** In a process of its own, whose memory is freed, and renamed when complete. */
async function createDatabase(dataDir: string, directory: string, signal?: AbortSignal): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (name.startsWith("pg.new-")) await rm(join(dataDir, name), { recursive: true, force: true });
  }
  const aside = await mkdtemp(join(dataDir, "pg.new-"));
  try {
    const args = ["--liftoff-only", fileURLToPath(WORKER), aside];
    await promisify(execFile)(process.execPath, args, { timeout: CREATE_TIMEOUT, signal });
    await chmod(aside, 0o700);
    await rename(aside, directory);
  } catch (cause) {
    await rm(aside, { recursive: true, force: true }).catch(() => undefined);
    throw new Error("创建数据库失败，请检查磁盘空间（至少 100 MB）和内存", { cause });
  }
}

/** The data directory, or a temporary one when its path is too long for a socket. */
async function socketDirectory(dataDir: string, resources: AsyncDisposableStack): Promise<string> {
  if (Buffer.byteLength(join(dataDir, SOCKET)) <= MAX_SOCKET_PATH) return dataDir;
  return resources.adopt(await mkdtemp(join(tmpdir(), "host-console-")), (made) => rm(made, { recursive: true }));
}

function startWorker(task: WorkerTask, { log, pingTimeout = PING_TIMEOUT }: EmbeddedDatabaseOptions) {
  const worker = new Worker(WORKER, {
    workerData: task,
    execArgv: [],
    // PostgreSQL must find its own stack limit before JavaScript's ends the thread.
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
      pinging = setInterval(ping, Math.min(PING_INTERVAL, pingTimeout / 2)).unref();
      listening.resolve();
    } else if (message.kind === "log") {
      log[/\b(FATAL|PANIC)\b/.test(message.line) ? "error" : "debug"]({ postgres: true }, message.line);
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
      if (await Promise.race([exited, sleep(CLOSE_TIMEOUT, false, { ref: false })])) return;
      log.warn("the embedded database did not close in time; the next start recovers it");
      await worker.terminate();
    },
  };
}

function unusable(dataDir: string, cause: unknown): DataDirError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new DataDirError(
    `数据目录 ${dataDir} 无法使用（${reason}）：请检查路径和权限，或用环境变量 DATA_DIR 指定其他目录。`,
    { cause },
  );
}
