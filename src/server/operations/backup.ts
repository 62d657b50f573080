import {
  createReadStream,
  createWriteStream,
  existsSync,
  openSync,
  renameSync,
  rmSync,
  unlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { type QueryExecutorProvider, sql } from "kysely";
import product from "../../../package.json" with { type: "json" };
import { readSchema } from "../platform/database/migrate.ts";
import type { DatabaseTarget } from "../platform/database/open-connection.ts";
import { StartError } from "../platform/errors.ts";
import type { Log } from "../platform/log.ts";
import { openCommandDatabase } from "./command-database.ts";
import { type BackupHeader, FORMAT, FORMAT_VERSION } from "./read-backup.ts";
import { backupTables, countRows, isKnownSchema, readEventPosition } from "./schema.ts";

const ROWS_PER_FETCH = 1_000;

interface BackupOptions {
  readonly target: DatabaseTarget;
  readonly file: string | null;
  readonly overwrite: boolean;
  readonly log: Log;
}

/** Writes a backup as of one moment, also while servers run. Throws StartError when it cannot. */
export async function backUp({
  target,
  file,
  overwrite,
  log,
}: BackupOptions): Promise<BackupHeader> {
  if (file === null) return await writeToStandardOutput(target, log);
  if (!overwrite && existsSync(file)) {
    throw new StartError(`${file} 已存在：请换一个文件名，或加 --force 覆盖它。`);
  }
  return await readSnapshot(target, log, (text) => writeFile(file, text));
}

/**
 * Whoever reads standard output may be slow, and the embedded database serves nobody else during
 * the transaction that reads the rows; on a server that transaction keeps migrations waiting. So
 * the backup goes to a file first.
 */
async function writeToStandardOutput(target: DatabaseTarget, log: Log): Promise<BackupHeader> {
  const fd = openSpool(target);
  const header = await readSnapshot(target, log, async (text) => {
    await pipeline(text, createGzip(), createWriteStream("", { fd, start: 0, autoClose: false }));
  });
  await pipeline(createReadStream("", { fd, start: 0 }), process.stdout).catch(endIncomplete);
  return header;
}

/**
 * The descriptor of a private file without a name, which vanishes with the process, however that
 * ends.
 */
function openSpool({ databaseUrl, dataDir }: DatabaseTarget): number {
  const directory = databaseUrl === null ? dataDir : tmpdir();
  const path = join(directory, `backup-${process.pid}.partial`);
  const fd = openSync(path, "wx+", 0o600);
  unlinkSync(path);
  return fd;
}

/** Calls `write` with the text of the backup, inside the transaction that reads it. */
async function readSnapshot(
  target: DatabaseTarget,
  log: Log,
  write: (text: Readable) => Promise<void>,
): Promise<BackupHeader> {
  await using database = await openCommandDatabase(target, { name: "backup", access: "read", log });
  const { orm } = database;
  const snapshot = orm.em.fork().getKysely().transaction().setIsolationLevel("repeatable read");
  return await snapshot.setAccessMode("read only").execute(async (db) => {
    await sql`set local statement_timeout = 0`.execute(db);
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(db);
    const header = await readHeader(db, backupTables(orm));
    await write(Readable.from(readText(db, header)));
    return header;
  });
}

async function readHeader(
  db: QueryExecutorProvider,
  names: readonly string[],
): Promise<BackupHeader> {
  const schema = await readSchema(db);
  if (!isKnownSchema(schema)) {
    throw new StartError(
      "数据库属于更新版本的程序，本程序不认识其中的全部数据：请用该版本的程序备份。",
    );
  }
  const tables: BackupHeader["tables"] = [];
  for (const name of names) tables.push({ name, rows: await countRows(db, name) });

  return {
    format: FORMAT,
    formatVersion: FORMAT_VERSION,
    productVersion: product.version,
    takenAt: Math.floor(Date.now() / 1000),
    schema,
    eventPosition: await readEventPosition(db),
    tables,
  };
}

async function* readText(db: QueryExecutorProvider, header: BackupHeader): AsyncGenerator<string> {
  yield `${JSON.stringify(header)}\n`;
  for (const { name } of header.tables) {
    // Clients come after the admins that they refer to.
    const order = name === "users" ? sql`order by admin_id nulls first` : sql``;
    await sql`
      declare backup_rows no scroll cursor for
      select (to_jsonb(t) - array(
        select attname::text from pg_attribute
        where attrelid = ${sql.lit(name)}::regclass and attgenerated <> ''
      ))::text as line
      from ${sql.table(name)} t ${order}`.execute(db);

    let isMore = true;
    while (isMore) {
      const { rows } = await sql<{ line: string }>`
        fetch ${sql.lit(ROWS_PER_FETCH)} from backup_rows
      `.execute(db);
      yield rows.map(({ line }) => `${line}\n`).join("");
      isMore = rows.length === ROWS_PER_FETCH;
    }
    await sql`close backup_rows`.execute(db);
  }
}

/** Gzips text into a file (0600) that appears only when it is complete. */
async function writeFile(path: string, text: Readable): Promise<void> {
  const partial = `${path}.${process.pid}.partial`;
  const remove = () => rmSync(partial, { force: true });
  // A signal exits the process without returning here.
  process.once("exit", remove);
  try {
    await pipeline(
      text,
      createGzip(),
      createWriteStream(partial, { flags: "wx", mode: 0o600, flush: true }),
    );
    renameSync(partial, path);
  } finally {
    remove();
    process.off("exit", remove);
  }
}

function endIncomplete(cause: Error): never {
  throw new StartError(`备份不完整，请勿使用已写出的部分（${cause.message}）。`, { cause });
}
