import { setTimeout as sleep } from "node:timers/promises";
import type { EntityMetadata, MikroORM } from "@mikro-orm/postgresql";
import { type QueryExecutorProvider, type RawBuilder, sql } from "kysely";
import { MIGRATIONS } from "../../../mikro-orm.config.ts";
import { readSchema } from "../platform/database/migrate.ts";
import { StartError } from "../platform/errors.ts";

/** Tables that a backup leaves out, and why. */
const NOT_BACKED_UP: Readonly<Record<string, string>> = {
  sessions: "those that have ended meanwhile would be valid again",
  sign_in_challenges: "they end after five minutes",
  login_failures: "counts of the last hour",
  known_addresses: "they fill up again with the next sign-ins",
  events: "kept for a day; clients refetch after a restore",
  clean_up: "how far the clean-up of that database has come",
};
const CLOSING_MS = 1_000;
const CLOSING_POLL_MS = 100;
const ROWS_OF_NEW_DATABASE: Readonly<Record<string, number>> = {
  users: 1,
  settings: 1,
  reminder_settings: 1,
};

export function backupTables(orm: MikroORM): string[] {
  return tablesInOrder(orm).filter((name) => NOT_BACKED_UP[name] === undefined);
}

/** The tables of all entities, each after the tables that it refers to. */
export function tablesInOrder(orm: MikroORM): string[] {
  const ordered: string[] = [];
  const visited = new Set<string>();

  function add({ tableName, relations }: EntityMetadata): void {
    // A table may refer to itself.
    if (visited.has(tableName)) return;
    visited.add(tableName);
    for (const { targetMeta } of relations) {
      if (targetMeta !== undefined) add(targetMeta);
    }
    ordered.push(tableName);
  }

  for (const entity of orm.getMetadata().getAll().values()) add(entity);
  return ordered;
}

export function isKnownSchema(schema: readonly string[]): boolean {
  return schema.every((name, index) => MIGRATIONS[index]?.name === name);
}

export function countRows(db: QueryExecutorProvider, table: string): Promise<number> {
  return readNumber(db, sql`select count(*) as n from ${sql.table(table)}`);
}

export function readEventPosition(db: QueryExecutorProvider): Promise<number> {
  return readNumber(db, sql`select last_value as n from events_id_seq`);
}

/** Throws StartError unless a restore may replace what the database holds. */
export async function assertReplaceable(
  db: QueryExecutorProvider,
  tables: readonly string[],
  replace: boolean,
): Promise<void> {
  await assertUnused(db);

  const schema = await readSchema(db);
  if (!isKnownSchema(schema)) {
    throw refusal("目标数据库属于更新版本的程序", "请用该版本的程序还原。");
  }
  for (const name of tables) {
    const isThere = (await readNumber(db, sql`select count(to_regclass(${name})) as n`)) > 0;
    if (!isThere) continue;

    if (schema.length === 0) {
      throw refusal(
        `目标数据库中的表 ${name} 不是本程序建立的`,
        "请检查 DATABASE_URL，换一个空数据库。",
      );
    }
    if (!replace) await assertNearlyEmpty(db, name);
  }
}

/**
 * Any other client counts: a server may go by a name of its address. On the embedded database the
 * directory lock keeps others away. The connection of a program that has just ended may still be
 * closing.
 */
async function assertUnused(db: QueryExecutorProvider): Promise<void> {
  const others = sql<{ n: number }>`
    select count(*) as n
    from pg_stat_activity
    where datname = current_database()
      and pid <> pg_backend_pid()
      and backend_type = 'client backend'
  `;
  let clients = await readNumber(db, others);
  for (let waited = 0; clients > 0 && waited < CLOSING_MS; waited += CLOSING_POLL_MS) {
    await sleep(CLOSING_POLL_MS);
    clients = await readNumber(db, others);
  }
  if (clients === 0) return;

  throw refusal(
    `仍有服务进程或其他程序连接着目标数据库（${clients} 个连接）`,
    "请停止它们后再还原。",
  );
}

async function assertNearlyEmpty(db: QueryExecutorProvider, table: string): Promise<void> {
  const rows = await countRows(db, table);
  if (rows <= (ROWS_OF_NEW_DATABASE[table] ?? 0)) return;

  throw refusal(
    `目标数据库不是空的（${table} 有 ${rows} 行）`,
    "如确定要替换其中的全部数据，请加 --replace。",
  );
}

function refusal(reason: string, advice: string): StartError {
  return new StartError(`${reason}，未作任何改动：${advice}`);
}

async function readNumber(
  db: QueryExecutorProvider,
  query: RawBuilder<{ n: number }>,
): Promise<number> {
  return (await query.execute(db)).rows[0]?.n ?? 0;
}
