import { pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import type { z } from "zod";
import { StartError } from "../core/errors.ts";
import { BackupHeader, FORMAT_VERSION, FormatMark, LastLine } from "./file-format.ts";
import { isKnownSchema } from "./schema.ts";

const ROWS_PER_BATCH = 500;

export interface RowBatch {
  readonly table: string;
  /** JSON objects, at least one. */
  readonly rows: readonly string[];
}

export interface OpenedBackup {
  readonly header: BackupHeader;
  /** Throws StartError when the file is incomplete or damaged, which may show only at its end. */
  readonly batches: AsyncGenerator<RowBatch, void>;
}

/** Reads the header; messages call the input `name`. Throws StartError when this program cannot read the backup. */
export async function openBackup(input: Readable, name: string): Promise<OpenedBackup> {
  const lines = readLines(input);
  const first = await lines.next().catch((cause: unknown) => {
    throw cause instanceof Error && "syscall" in cause
      ? new StartError(`备份文件 ${name} 无法读取（${cause.message}）。`, { cause })
      : notOurs(name, cause);
  });
  const mark = parse(FormatMark, first.value);
  if (mark === null) throw notOurs(name);
  if (mark.formatVersion > FORMAT_VERSION) throw newer(name);
  const header = parse(BackupHeader, first.value);
  if (header === null) throw damaged(name);
  if (!isKnownSchema(header.schema)) throw newer(name);
  return { header, batches: readBatches(lines, header, name) };
}

async function* readBatches(
  lines: AsyncGenerator<string, void>,
  { tables }: BackupHeader,
  name: string,
): OpenedBackup["batches"] {
  const nextLine = async () => {
    const { value } = await lines.next().catch((cause: unknown) => {
      throw damaged(name, cause);
    });
    return value ?? null;
  };
  for (const { name: table, rows: total } of tables) {
    for (let read = 0; read < total; ) {
      const rows: string[] = [];
      for (; rows.length < ROWS_PER_BATCH && read < total; read++) {
        const line = await nextLine();
        if (line === null) throw damaged(name);
        rows.push(line);
      }
      yield { table, rows };
    }
  }
  if (parse(LastLine, await nextLine()) === null || (await nextLine()) !== null) throw damaged(name);
}

async function* readLines(input: Readable): AsyncGenerator<string, void> {
  const text = createGunzip().setEncoding("utf8");
  // The loop below throws the pipeline's error.
  pipeline(input, text, () => undefined);
  let rest = "";
  for await (const chunk of text) {
    const lines = `${rest}${chunk}`.split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}

/** Null when the line is not JSON of this shape. */
function parse<Shape extends z.ZodType>(shape: Shape, line: unknown): z.infer<Shape> | null {
  try {
    return shape.parse(JSON.parse(String(line)));
  } catch {
    return null;
  }
}

function notOurs(name: string, cause?: unknown): StartError {
  return new StartError(`${name} 不是本产品的备份文件，或开头已损坏，数据库未作任何改动。`, { cause });
}

function damaged(name: string, cause?: unknown): StartError {
  return new StartError(`备份文件 ${name} 不完整或已损坏，数据库未作任何改动：请换用另一份备份。`, { cause });
}

function newer(name: string): StartError {
  return new StartError(`备份文件 ${name} 由更新版本的程序写成，数据库未作任何改动：请用同样新或更新的版本还原。`);
}
