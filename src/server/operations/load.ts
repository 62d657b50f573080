import type { MikroORM, SqlEntityManager } from "@mikro-orm/postgresql";
import { CompiledQuery } from "kysely";
import { StartError } from "../core/start-error.ts";
import { type Ask, hasTable } from "../database/ask.ts";
import { isDatabaseAway } from "../database/errors.ts";
import { assertReplaceable } from "./assert-replaceable.ts";
import type { BackupHeader } from "./file-format.ts";
import { readBackup } from "./read-backup.ts";
import { readEventPosition, storedColumns } from "./schema.ts";
import { BACKUP_TABLES, FUNCTIONS, LEFT_OUT_TABLES } from "./tables.ts";

/**
 * How far event ids jump. Above every id that was given out after the backup was made, so that a console that still knows one finds no
 * continuation and refetches.
 */
const EVENT_JUMP = 1_000_000_000;
const LOCK_NOT_AVAILABLE = "55P03";

export interface LoadOptions {
  readonly orm: MikroORM;
  readonly file: string;
  readonly header: BackupHeader;
  /** Names of all migrations that this program knows. */
  readonly knownSchema: readonly string[];
  /** Whether data may be replaced; else there must be none. */
  readonly replace: boolean;
  /** Whether other processes can be connected. */
  readonly isShared: boolean;
}

/**
 * Puts the rows of a backup in the place of everything that the database holds. One transaction, tables included: they are made anew as the
 * backup knows them, filled, and then brought up to date. Hold the migration lock.
 */
export async function loadBackup(options: LoadOptions): Promise<void> {
  const { orm } = options;
  // Once more inside; here it keeps the migrator's table, which cannot be made inside, out of a database that is not ours.
  await orm.em.fork().transactional((em) => assertReplaceable(askInside(em), options));
  await orm.migrator.getExecuted();
  try {
    await orm.em.fork().transactional((em) => replaceAll(em, options));
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    throw new StartError("数据库正被其他连接使用，未作任何改动：请停止所有服务进程后再还原。", { cause: error });
  }
  // Else the first lists would be planned for empty tables.
  for (const { name } of BACKUP_TABLES) await orm.em.fork().execute(`analyze ${name}`);
}

async function replaceAll(em: SqlEntityManager, options: LoadOptions): Promise<void> {
  const { orm, file, header } = options;
  const ask = askInside(em);
  await ask("set local lock_timeout = '5s'");
  await assertReplaceable(ask, options);
  const position = (await hasTable(ask, "events")) ? await readEventPosition(ask) : 0;

  const tables = [...BACKUP_TABLES.map(({ name }) => name), ...LEFT_OUT_TABLES];
  // A view since migration 0005, a table before it.
  const [view] = await ask("select from pg_views where viewname = 'hosts_version'");
  await ask(`drop ${view === undefined ? "table" : "view"} if exists hosts_version`);
  await ask(`drop table if exists ${tables.join(", ")}`);
  await ask(`drop function if exists ${FUNCTIONS.join(", ")}`);
  // The queue's own; the next start makes it.
  await ask("drop schema if exists pgboss cascade");
  await ask("delete from schema_migrations");
  const transaction = em.getTransactionContext();
  await orm.migrator.up({ to: header.schema.at(-1) ?? "", transaction });
  await fill(ask, file);
  await ask("select setval('events_id_seq', $1)", [Math.max(position, header.eventPosition) + EVENT_JUMP]);
  await orm.migrator.up({ transaction });
}

async function fill(ask: Ask, file: string): Promise<void> {
  const columns = new Map<string, string>();
  // What the migrations put there is in the backup too, as it was last.
  for (const { name } of BACKUP_TABLES) {
    await ask(`delete from ${name}`);
    columns.set(name, await storedColumns(ask, name));
  }
  await readBackup(file, async (table, rows) => {
    const names = columns.get(table);
    if (names === undefined) throw new Error(`no table ${table}`);
    try {
      await ask(
        `insert into ${table} (${names}) select ${names} from jsonb_populate_recordset(null::${table}, $1::jsonb)`,
        [`[${rows.join(",")}]`],
      );
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw new StartError(`备份中 ${table} 的数据无法写入（${reason}），数据库未作任何改动。`, { cause: error });
    }
  });
}

function askInside(em: SqlEntityManager): Ask {
  const kysely = em.getKysely();
  return async <Row extends object>(sql: string, parameters: readonly unknown[] = []) => {
    const { rows } = await kysely.executeQuery<Row>(CompiledQuery.raw(sql, [...parameters]));
    return rows;
  };
}

function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === LOCK_NOT_AVAILABLE;
}
