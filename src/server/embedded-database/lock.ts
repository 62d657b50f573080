import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StartError } from "../core/errors.ts";

const SQLITE_BUSY = 5;

export class DataDirError extends StartError {
  override readonly name = "DataDirError";
}

/** Makes this process the only user of an existing data directory, until it ends. Throws DataDirError with the owner's PID. */
export function lockDataDir(dataDir: string): Disposable {
  const pidFile = join(dataDir, "lock.pid");
  const lockFile = join(dataDir, "lock.sqlite");
  // SQLite would create it readable for everybody.
  closeSync(openSync(lockFile, "a", 0o600));
  const database = new DatabaseSync(lockFile);
  try {
    database.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    const isBusy = error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY;
    if (!isBusy) throw error;
    const owner = existsSync(pidFile) ? `另一个进程（PID ${readFileSync(pidFile, "utf8").trim()}）` : "另一个进程";
    const advice = "请先停止该进程，或用环境变量 DATA_DIR 指定其他目录。";
    throw new DataDirError(`数据目录 ${dataDir} 正在被${owner}使用：${advice}`);
  }
  writeFileSync(pidFile, `${process.pid}\n`, { mode: 0o600 });
  return {
    [Symbol.dispose]() {
      rmSync(pidFile, { force: true });
      database.close();
    },
  };
}
