import { createHash } from "node:crypto";
import { pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { StartError } from "../core/errors.ts";
import { BackupHeader, FORMAT_VERSION, lastLine } from "./file-format.ts";
import { isKnownSchema } from "./schema.ts";

const ROWS_PER_BATCH = 500;

export interface RowBatch {
  readonly table: string;
  readonly rows: readonly string[];
}

/** Reads the header; messages call the input `name`. Throws StartError, also from `batches` when the file is damaged. */
export async function openBackup(input: Readable, name: string) {
  const lines = readLines(input, name);
  const hash = createHash("sha256");

  async function nextLine(): Promise<string> {
    const { value } = await lines.next();
    if (value === undefined) throw unusable(name);
    return value;
  }

  async function* readBatches({ tables }: BackupHeader): AsyncGenerator<RowBatch, void> {
    for (const { name: table, rows: total } of tables) {
      for (let left = total; left > 0; left -= ROWS_PER_BATCH) {
        const rows: string[] = [];
        while (rows.length < Math.min(left, ROWS_PER_BATCH)) rows.push(await nextLine());
        hash.update(`${rows.join("\n")}\n`);
        yield { table, rows };
      }
    }
    if ((await nextLine()) !== lastLine(hash) || !(await lines.next()).done) throw unusable(name);
  }

  const first = await nextLine();
  hash.update(`${first}\n`);
  const header = parseHeader(first, name);
  if (header.formatVersion > FORMAT_VERSION || !isKnownSchema(header.schema)) {
    throw new StartError(`备份文件 ${name} 由更新版本的程序写成，数据库未作任何改动：请用同样新或更新的版本还原。`);
  }
  return { header, batches: readBatches(header) };
}

async function* readLines(input: Readable, name: string): AsyncGenerator<string, undefined> {
  const text = createGunzip().setEncoding("utf8");
  // The loop below throws the pipeline's error.
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
  return new StartError(`备份文件 ${name} ${reason}，数据库未作任何改动：请换用另一份备份。`, { cause });
}
