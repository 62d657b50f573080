import { StartError } from "../core/start-error.ts";
import { type Ask, hasTable } from "../database/ask.ts";
import { countRows, isKnownSchema, readSchema } from "./schema.ts";
import { BACKUP_TABLES } from "./tables.ts";

export interface ReplaceableOptions {
  readonly knownSchema: readonly string[];
  readonly replace: boolean;
  readonly isShared: boolean;
}

/** Throws StartError unless what the database holds may be replaced. */
export async function assertReplaceable(
  ask: Ask,
  { knownSchema, replace, isShared }: ReplaceableOptions,
): Promise<void> {
  if (isShared) await assertNobodyConnected(ask);
  const schema = await readSchema(ask);
  if (!isKnownSchema(schema, knownSchema)) {
    throw new StartError("目标数据库属于更新版本的程序，未作任何改动：请用该版本的程序还原。");
  }
  const present: string[] = [];
  for (const { name } of BACKUP_TABLES) if (await hasTable(ask, name)) present.push(name);
  if (schema.length === 0 && present.length > 0) {
    throw new StartError(
      `目标数据库中的表 ${present.join("、")} 不是本程序建立的，未作任何改动：请检查 DATABASE_URL，换一个空数据库。`,
    );
  }
  if (replace || schema.length === 0) return;
  for (const { name, rowsWhenNew } of BACKUP_TABLES) {
    const rows = await countRows(ask, name);
    if (rows <= rowsWhenNew) continue;
    throw new StartError(
      `目标数据库不是空的（${name} 有 ${rows} 行），未作任何改动：如确定要用备份替换其中的全部数据，请加 --replace。`,
    );
  }
}

/** A server that goes on working with what is being replaced would mix both. */
async function assertNobodyConnected(ask: Ask): Promise<void> {
  const [row] = await ask<{ n: number }>(
    `select count(*)::float8 as n from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and application_name like 'host-console%'`,
  );
  if (row !== undefined && row.n > 0) {
    throw new StartError(`仍有服务进程连接着目标数据库（${row.n} 个连接），未作任何改动：请停止所有服务进程后再还原。`);
  }
}
