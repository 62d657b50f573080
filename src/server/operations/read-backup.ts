import { pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { z } from "zod";
import { StartError } from "../platform/errors.ts";
import { isKnownSchema } from "./schema.ts";

export const FORMAT = "host-console-backup";
export const FORMAT_VERSION = 2;
const ROWS_PER_BATCH = 500;

/**
 * The first line. The rows of each table follow, one JSON object a line, as many as it says and in
 * its order.
 */
export const BackupHeader = z.object({
  format: z.literal(FORMAT),
  formatVersion: z.int().positive(),
  productVersion: z.string(),
  takenAt: z.int(),
  schema: z.array(z.string()).min(1),
  eventPosition: z.int().nonnegative(),
  tables: z.array(z.object({ name: z.string(), rows: z.int().nonnegative() })),
});
export type BackupHeader = z.infer<typeof BackupHeader>;

export interface RowBatch {
  readonly table: string;
  readonly rows: readonly string[];
}

/**
 * Reads the header; messages call the input `name`. Throws StartError, also from `batches` when the
 * file is damaged.
 */
export async function openBackup(input: Readable, name: string) {
  const lines = readLines(input, name);

  async function nextLine(): Promise<string> {
    const { value } = await lines.next();
    if (value === undefined) throw unusable(name);
    return value;
  }

  async function* readBatches({
    formatVersion,
    tables,
  }: BackupHeader): AsyncGenerator<RowBatch, void> {
    for (const { name: table, rows: total } of tables) {
      for (let left = total; left > 0; left -= ROWS_PER_BATCH) {
        const rows: string[] = [];
        while (rows.length < Math.min(left, ROWS_PER_BATCH)) rows.push(await nextLine());
        yield { table, rows };
      }
    }
    // The digest of format 1; the end of the stream has the checksum of gzip.
    if (formatVersion === 1) await nextLine();
    if (!(await lines.next()).done) throw unusable(name);
  }

  const header = parseHeader(await nextLine(), name);
  if (header.formatVersion > FORMAT_VERSION || !isKnownSchema(header.schema)) {
    throw new StartError(
      `备份文件 ${name} 由更新版本的程序写成，数据库未作任何改动：请用同样新或更新的版本还原。`,
    );
  }
  return { header, batches: readBatches(header) };
}

async function* readLines(input: Readable, name: string): AsyncGenerator<string, undefined> {
  const text = createGunzip().setEncoding("utf8");
  pipeline(input, text, () => undefined);
  let rest = "";
  try {
    for await (const chunk of text) {
      const lines = `${rest}${chunk}`.split("\n");
      rest = lines.pop() ?? "";
      yield* lines;
    }
  } catch (cause) {
    if (!(cause instanceof Error && "syscall" in cause)) throw unusable(name, cause);
    throw new StartError(`备份文件 ${name} 无法读取（${cause.message}）。`, { cause });
  }
  if (rest !== "") yield rest;
}

function parseHeader(line: string, name: string): BackupHeader {
  try {
    return BackupHeader.parse(JSON.parse(line));
  } catch (cause) {
    throw unusable(name, cause);
  }
}

function unusable(name: string, cause?: unknown): StartError {
  const reason = "不完整或已损坏，或不是本产品的备份文件";
  return new StartError(`备份文件 ${name} ${reason}，数据库未作任何改动：请换用另一份备份。`, {
    cause,
  });
}
