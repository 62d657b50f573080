import { Readable } from "node:stream";
import { type QueryExecutorProvider, sql } from "kysely";
import { StartError } from "../core/errors.ts";
import type { Log } from "../core/log.ts";
import { productVersion } from "../core/product-version.ts";
import { type DatabasePlace, openCommandDatabase } from "./command-database.ts";
import { type BackupHeader, FORMAT, FORMAT_VERSION } from "./file-format.ts";
import { assertFree, writeFile, writeStandardOutput } from "./output.ts";
import { BACKUP_TABLES, countRows, isKnownSchema, readEventPosition, readSchema } from "./schema.ts";

const ROWS_PER_FETCH = 1_000;

interface BackupOptions {
  readonly place: DatabasePlace;
  /** Null is standard output. */
  readonly file: string | null;
  readonly overwrite: boolean;
  readonly log: Log;
}

/** Writes a backup as of one moment, also while servers run. Throws StartError when it cannot. */
export async function backUp({ place, file, overwrite, log }: BackupOptions): Promise<BackupHeader> {
  if (file !== null && !overwrite) assertFree(file);
  await using database = await openCommandDatabase(place, "read", log);
  const snapshot = database.orm.em.fork().getKysely().transaction().setIsolationLevel("repeatable read");
  return await snapshot.setAccessMode("read only").execute(async (db) => {
    await sql`set local statement_timeout = 0`.execute(db);
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(db);
    const header = await readHeader(db);
    const text = Readable.from(backupText(db, header));
    await (file === null ? writeStandardOutput(text) : writeFile(file, text));
    return header;
  });
}

async function readHeader(db: QueryExecutorProvider): Promise<BackupHeader> {
  const schema = await readSchema(db);
  if (!isKnownSchema(schema)) {
    throw new StartError("数据库属于更新版本的程序，本程序不认识其中的全部数据：请用该版本的程序备份。");
  }
  const tables: BackupHeader["tables"] = [];
  for (const name of BACKUP_TABLES) tables.push({ name, rows: await countRows(db, name) });
  return {
    format: FORMAT,
    formatVersion: FORMAT_VERSION,
    productVersion: productVersion(),
    takenAt: Math.floor(Date.now() / 1000),
    schema,
    eventPosition: await readEventPosition(db),
    tables,
  };
}

async function* backupText(db: QueryExecutorProvider, header: BackupHeader) {
  yield `${JSON.stringify(header)}\n`;
  for (const { name } of header.tables) {
    // Clients come after the admins that they refer to.
    const order = name === "users" ? sql`order by admin_id nulls first` : sql``;
    await sql`
      declare backup_rows no scroll cursor for
      select (to_jsonb(t) - array(
        select attname::text from pg_attribute where attrelid = ${sql.lit(name)}::regclass and attgenerated <> ''
      ))::text as line
      from ${sql.table(name)} t ${order}`.execute(db);
    for (let isMore = true; isMore; ) {
      const { rows } = await sql<{ line: string }>`fetch ${sql.lit(ROWS_PER_FETCH)} from backup_rows`.execute(db);
      yield rows.map(({ line }) => `${line}\n`).join("");
      isMore = rows.length === ROWS_PER_FETCH;
    }
    await sql`close backup_rows`.execute(db);
  }
  yield `${JSON.stringify({ end: true })}\n`;
}
