import { execFile } from "node:child_process";
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { reasonOf, StartError } from "../errors.ts";
import type { EmbeddedDatabaseOptions } from "./open.ts";

/** Major version of the PostgreSQL in the pinned PGlite. */
const MAJOR = "18";
const CREATE_TIMEOUT_MS = 120_000;
const SQLITE_BUSY = 5;

export const WORKER = new URL("./worker.ts", import.meta.url);

/**
 * Locks the directory and creates the database in it when there is none. Throws StartError when the
 * directory cannot be used.
 */
export async function prepareDataDir(
  dataDir: string,
  { log, signal }: Pick<EmbeddedDatabaseOptions, "log" | "signal">,
): Promise<Disposable> {
  using resources = new DisposableStack();
  try {
    // Before the lock, which writes into the directory.
    hasDatabase(dataDir);
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    resources.use(lockDataDir(dataDir));
    if (!hasDatabase(dataDir)) {
      log.info({ dataDir }, "creating the embedded database");
      await createDatabase(dataDir, signal);
    }
  } catch (cause) {
    if (cause instanceof StartError) throw cause;
    const advice = "请检查路径和权限，或用环境变量 DATA_DIR 指定其他目录。";
    throw new StartError(`数据目录 ${dataDir} 无法使用（${reasonOf(cause)}）：${advice}`, {
      cause,
    });
  }
  return resources.move();
}

/**
 * Throws StartError when the directory holds the database of another version, or something else.
 */
function hasDatabase(dataDir: string): boolean {
  const directory = join(dataDir, "pg");
  if (!existsSync(directory)) return false;
  const versionFile = join(directory, "PG_VERSION");
  if (!existsSync(versionFile)) {
    if (readdirSync(directory).length === 0) return false;
    throw new StartError(
      `${directory} 不是空目录，也不是 PostgreSQL 数据目录：请移走其中的文件后再启动。`,
    );
  }
  const major = readFileSync(versionFile, "utf8").trim();
  if (major === MAJOR) return true;
  throw new StartError(
    `${directory} 由 PostgreSQL ${major} 创建，本程序内置的是 PostgreSQL ${MAJOR}，不能直接打开，目录未作任何改动：` +
      "请用原版本程序执行 npm run backup 备份，再用 DATA_DIR 指定新的空目录，以本程序执行 npm run restore 还原（docs/operations.md）。",
  );
}

/** In a process of its own, because WebAssembly memory never shrinks. */
async function createDatabase(dataDir: string, signal?: AbortSignal): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (name.startsWith("pg.new-")) await rm(join(dataDir, name), { recursive: true, force: true });
  }
  const aside = await mkdtemp(join(dataDir, "pg.new-"));
  try {
    await promisify(execFile)(process.execPath, [fileURLToPath(WORKER), aside], {
      timeout: CREATE_TIMEOUT_MS,
      signal,
    });
    await chmod(aside, 0o700);
    await rename(aside, join(dataDir, "pg"));
  } catch (cause) {
    await rm(aside, { recursive: true, force: true }).catch(() => undefined);
    throw new Error("创建数据库失败，请检查磁盘空间（至少 100 MB）和内存", { cause });
  }
}

/**
 * Makes this process the only user of an existing data directory, until it ends. Throws StartError
 * with the owner's PID.
 *
 * The lock is SQLite's lock for writers, of which there is one at a time; nothing is written. With
 * BEGIN EXCLUSIVE, which also needs all readers gone, two starts of one moment would both be refused:
 * each first takes a reader's lock.
 */
function lockDataDir(dataDir: string): Disposable {
  const pidFile = join(dataDir, "lock.pid");
  const lockFile = join(dataDir, "lock.sqlite");
  // SQLite would create it readable for everybody.
  closeSync(openSync(lockFile, "a", 0o600));
  const database = new DatabaseSync(lockFile);
  try {
    database.exec("BEGIN IMMEDIATE");
  } catch (error) {
    database.close();
    const isBusy = error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY;
    if (!isBusy) throw error;
    const owner = existsSync(pidFile)
      ? `另一个进程（PID ${readFileSync(pidFile, "utf8").trim()}）`
      : "另一个进程";
    const advice = "请先停止该进程，或用环境变量 DATA_DIR 指定其他目录。";
    throw new StartError(`数据目录 ${dataDir} 正在被${owner}使用：${advice}`);
  }
  writeFileSync(pidFile, `${process.pid}\n`, { mode: 0o600 });
  return {
    [Symbol.dispose]() {
      rmSync(pidFile, { force: true });
      database.close();
    },
  };
}
