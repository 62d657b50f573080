import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { DataDirError } from "./data-dir-error.ts";

const SQLITE_BUSY = 5;

export interface DataDirLock {
  [Symbol.dispose](): void;
}

/**
 * Makes this process the only user of an existing data directory, or throws a DataDirError that names the owner.
 * The lock is a file lock of the kernel's, so it ends with its process however that dies.
 * Nothing else in this process may open `lock.sqlite`: closing any handle of a file drops its POSIX locks.
 */
export function lockDataDir(dataDir: string): DataDirLock {
  const ownerFile = join(dataDir, "lock.pid");
  const database = new DatabaseSync(join(dataDir, "lock.sqlite"));
  try {
    database.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    throw isBusy(error) ? inUse(dataDir, ownerFile, error) : error;
  }
  writeFileSync(ownerFile, `${process.pid}\n`, { mode: 0o600 });
  return {
    [Symbol.dispose]() {
      if (!database.isOpen) return;
      rmSync(ownerFile, { force: true });
      database.close();
    },
  };
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY;
}

function inUse(dataDir: string, ownerFile: string, cause: unknown): DataDirError {
  const pid = existsSync(ownerFile) ? readFileSync(ownerFile, "utf8").trim() : "";
  const owner = pid === "" ? "另一个进程" : `另一个进程（PID ${pid}）`;
  return new DataDirError(
    `数据目录 ${dataDir} 正在被${owner}使用：请先停止该进程，或用环境变量 DATA_DIR 指定其他目录。`,
    { cause },
  );
}
