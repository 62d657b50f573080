import { createHash } from "node:crypto";
import { StartError } from "../core/start-error.ts";
import type { Ask } from "../database/ask.ts";
import { type BackupHeader, FORMAT, FORMAT_VERSION } from "./file-format.ts";
import { countRows, isKnownSchema, readEventPosition, readSchema, storedColumns } from "./schema.ts";
import { BACKUP_TABLES, type BackupTable } from "./tables.ts";

const ROWS_AT_ONCE = 1_000;

export interface DumpOptions {
  /** All on one connection, which nobody else uses. */
  readonly ask: Ask;
  readonly productVersion: string;
  /** Unix seconds. */
  readonly takenAt: number;
  /** Names of all migrations that this program knows. */
  readonly knownSchema: readonly string[];
  readonly onHeader: (header: BackupHeader) => void;
}

/** The text of a backup, piece by piece, as of one moment: one transaction that sees no later write. */
export async function* dumpDatabase(options: DumpOptions): AsyncGenerator<string> {
  const { ask } = options;
  const hash = createHash("sha256");
  await ask("begin isolation level repeatable read read only");
  try {
    await ask("set local statement_timeout = 0");
    await ask("set local idle_in_transaction_session_timeout = 0");
    const header = await readHeader(options);
    options.onHeader(header);
    for await (const text of dumpTexts(ask, header)) {
      hash.update(text);
      yield text;
    }
  } finally {
    await ask("rollback");
  }
  yield `${JSON.stringify({ sha256: hash.digest("hex") })}\n`;
}

async function* dumpTexts(ask: Ask, header: BackupHeader): AsyncGenerator<string> {
  yield `${JSON.stringify(header)}\n`;
  for (const table of BACKUP_TABLES) yield* dumpRows(ask, table);
}

async function* dumpRows(ask: Ask, { name, order }: BackupTable): AsyncGenerator<string> {
  const columns = await storedColumns(ask, name);
  const rows = `select ${columns} from ${name} ${order === undefined ? "" : `order by ${order}`}`;
  await ask(`declare backup_rows no scroll cursor for select row_to_json(r)::text as row from (${rows}) r`);
  for (let isMore = true; isMore; ) {
    const fetched = await ask<{ row: string }>(`fetch ${ROWS_AT_ONCE} from backup_rows`);
    if (fetched.length > 0) yield fetched.map(({ row }) => `${row}\n`).join("");
    isMore = fetched.length === ROWS_AT_ONCE;
  }
  await ask("close backup_rows");
}

async function readHeader({ ask, productVersion, takenAt, knownSchema }: DumpOptions): Promise<BackupHeader> {
  const schema = await readSchema(ask);
  if (schema.length === 0) throw new StartError("数据库中没有本程序的数据：请检查 DATABASE_URL 或 DATA_DIR。");
  if (!isKnownSchema(schema, knownSchema)) {
    throw new StartError("数据库属于更新版本的程序，本程序不认识其中的全部数据：请用该版本的程序备份。");
  }
  const tables: BackupHeader["tables"] = [];
  for (const { name } of BACKUP_TABLES) tables.push({ name, rows: await countRows(ask, name) });
  const eventPosition = await readEventPosition(ask);
  return { format: FORMAT, formatVersion: FORMAT_VERSION, productVersion, takenAt, schema, eventPosition, tables };
}
