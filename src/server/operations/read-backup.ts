import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import type { z } from "zod";
import { StartError } from "../core/start-error.ts";
import { BackupHeader, BackupMark, BackupSeal, FORMAT_VERSION } from "./file-format.ts";
import { splitLines } from "./split-lines.ts";

/** Rows handed on at once, whichever is less; the size in bytes. */
const BATCH = { rows: 500, size: 4 * 1024 * 1024 };

/** Called with the rows of one table, each a JSON object, at most some hundreds at a time. */
export type OnRows = (table: string, rows: readonly string[]) => Promise<void> | void;

/** The file as it stands is no backup that this program can read; the message says why. */
export class BackupFileError extends StartError {
  override readonly name = "BackupFileError";
}

/**
 * Reads a backup from beginning to end and answers its header. Throws BackupFileError when it is not exactly what was written – which
 * shows only at its end: what `onRows` was told before is worth nothing then.
 */
export async function readBackup(file: string, onRows: OnRows = () => undefined): Promise<BackupHeader> {
  let header: BackupHeader | null = null;
  try {
    await pipeline(createReadStream(file), createGunzip(), async (source: AsyncIterable<Buffer>) => {
      const reader = createReader(source);
      header = await readHeader(file, reader);
      await readRows(reader, header, onRows);
      await assertSealed(reader);
    });
  } catch (error) {
    throw isFileTrouble(error) ? explain(file, error, header !== null) : error;
  }
  if (header === null) throw notOurs(file);
  return header;
}

/** The file does not say what it must; explained where its name is known. */
class Damage extends Error {}

interface Reader {
  /** The next line; every line before the seal is a part of what it seals. */
  next(): Promise<string>;
  /** SHA-256 of the lines so far. */
  digest(): string;
  isAtEnd(): Promise<boolean>;
}

function createReader(source: AsyncIterable<Buffer>): Reader {
  const lines = splitLines(source);
  let hash: Hash | null = createHash("sha256");
  return {
    async next() {
      const line = await lines.next();
      if (line.done === true) throw new Damage();
      hash?.update(line.value).update("\n");
      return line.value.toString("utf8");
    },
    digest() {
      const sha256 = hash?.digest("hex") ?? "";
      hash = null;
      return sha256;
    },
    isAtEnd: async () => (await lines.next()).done === true,
  };
}

async function readHeader(file: string, reader: Reader): Promise<BackupHeader> {
  const line = await reader.next();
  const mark = parse(BackupMark, line);
  if (mark === null) throw notOurs(file);
  if (mark.formatVersion > FORMAT_VERSION) throw newerBackup(file);
  const header = parse(BackupHeader, line);
  if (header === null) throw new Damage();
  return header;
}

async function readRows(reader: Reader, { tables }: BackupHeader, onRows: OnRows): Promise<void> {
  for (const { name, rows } of tables) {
    for (let left = rows; left > 0; ) {
      const batch: string[] = [];
      for (let size = 0; left > 0 && batch.length < BATCH.rows && size < BATCH.size; left--) {
        const row = await reader.next();
        batch.push(row);
        size += row.length;
      }
      await onRows(name, batch);
    }
  }
}

async function assertSealed(reader: Reader): Promise<void> {
  const sha256 = reader.digest();
  const seal = parse(BackupSeal, await reader.next());
  if (seal?.sha256 !== sha256 || !(await reader.isAtEnd())) throw new Damage();
}

function parse<Shape extends z.ZodType>(shape: Shape, line: string): z.infer<Shape> | null {
  try {
    return shape.parse(JSON.parse(line));
  } catch {
    return null;
  }
}

/** Missing, unreadable, no gzip, cut short, or not what the seal says. */
function isFileTrouble(error: unknown): error is NodeJS.ErrnoException | Damage {
  if (error instanceof Damage || error instanceof RangeError) return true;
  return error instanceof Error && "code" in error && /^(Z_|ENOENT|EACCES|EISDIR|EIO|ENOTDIR)/.test(String(error.code));
}

function explain(file: string, error: NodeJS.ErrnoException | Damage, isOurs: boolean): BackupFileError {
  if ("path" in error || ("syscall" in error && !(error instanceof Damage))) {
    return new BackupFileError(`备份文件 ${file} 无法读取（${error.message}）。`, { cause: error });
  }
  if (!isOurs) return notOurs(file);
  return new BackupFileError(`备份文件 ${file} 不完整或已损坏，数据库未作任何改动：请换用另一份备份。`, {
    cause: error,
  });
}

function notOurs(file: string): BackupFileError {
  return new BackupFileError(`${file} 不是本产品的备份文件，或开头已损坏，数据库未作任何改动。`);
}

export function newerBackup(file: string): BackupFileError {
  return new BackupFileError(`备份文件 ${file} 由更新版本的程序写成，数据库未作任何改动：请用同样新或更新的版本还原。`);
}
