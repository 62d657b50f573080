import type { MikroORM } from "@mikro-orm/postgresql";
import { type QueryExecutorProvider, sql } from "kysely";
import { StartError } from "../core/errors.ts";
import { backupTables, countRows, hasTable, isKnownSchema, readNumber, readSchema } from "./schema.ts";

/** The first super admin and the settings; other tables start empty. */
const ROWS_OF_NEW_DATABASE: Readonly<Record<string, number>> = { users: 1, settings: 1 };

/** Throws StartError unless a restore may replace what the database holds. */
export async function assertReplaceable(orm: MikroORM, db: QueryExecutorProvider, replace: boolean): Promise<void> {
  // Any client: a server may go by a name of its address. On the embedded database the directory lock keeps others away.
  const servers = await readNumber(
    db,
    sql`select count(*) as n from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
  );
  if (servers > 0) throw refusal(`仍有服务进程或其他程序连接着目标数据库（${servers} 个连接）`, "请停止它们后再还原。");
  const schema = await readSchema(db);
  if (!isKnownSchema(schema)) throw refusal("目标数据库属于更新版本的程序", "请用该版本的程序还原。");
  for (const { name } of backupTables(orm)) {
    if (!(await hasTable(db, name))) continue;
    if (schema.length === 0) {
      throw refusal(`目标数据库中的表 ${name} 不是本程序建立的`, "请检查 DATABASE_URL，换一个空数据库。");
    }
    const rows = replace ? 0 : await countRows(db, name);
    if (rows > (ROWS_OF_NEW_DATABASE[name] ?? 0)) {
      throw refusal(
        `目标数据库不是空的（${name} 有 ${rows} 行）`,
        "如确定要用备份替换其中的全部数据，请加 --replace。",
      );
    }
  }
}

function refusal(reason: string, advice: string): StartError {
  return new StartError(`${reason}，未作任何改动：${advice}`);
}
