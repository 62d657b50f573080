import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DataDirError } from "./data-dir-error.ts";

/** Major version of the PostgreSQL inside the pinned PGlite. */
export const POSTGRES_MAJOR = "18";

/**
 * Says whether `directory` holds a database that the embedded PostgreSQL can open ("ready") or nothing yet ("empty").
 * Anything else is a DataDirError. Only reads.
 */
export function inspectPostgresDirectory(directory: string): "ready" | "empty" {
  if (!existsSync(directory)) return "empty";
  const versionFile = join(directory, "PG_VERSION");
  if (!existsSync(versionFile)) {
    if (readdirSync(directory).length === 0) return "empty";
    throw new DataDirError(`${directory} 不是空目录，也不是 PostgreSQL 数据目录：请移走其中的文件后再启动。`);
  }
  const major = readFileSync(versionFile, "utf8").trim();
  if (major === POSTGRES_MAJOR) return "ready";
  throw new DataDirError(
    `${directory} 由 PostgreSQL ${major} 创建，本程序内置的是 PostgreSQL ${POSTGRES_MAJOR}，不能直接打开，目录未作任何改动：` +
      "请用原版本程序执行 npm run backup 备份，再用 DATA_DIR 指定新的空目录，以本程序执行 npm run restore 还原（docs/backup.md）。",
  );
}
