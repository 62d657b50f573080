import { createWriteStream, existsSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { StartError } from "../core/start-error.ts";

export interface WriteOptions {
  /** Whether a file of that name is replaced; else it is an error. */
  readonly overwrite: boolean;
  /** Gives up; nothing is left behind. */
  readonly signal: AbortSignal;
}

/** Writes a gzipped file (0600) whole or not at all: under another name first, flushed to the disk, then renamed. */
export async function writeGzipFile(
  path: string,
  texts: AsyncIterable<string>,
  { overwrite, signal }: WriteOptions,
): Promise<void> {
  assertFree(path, overwrite);
  const aside = join(dirname(path), `.${basename(path)}.${process.pid}.partial`);
  try {
    const target = createWriteStream(aside, { flags: "wx", mode: 0o600, flush: true });
    await pipeline(Readable.from(texts), createGzip(), target, { signal });
    assertFree(path, overwrite);
    await rename(aside, path);
    await flushDirectory(dirname(path));
  } catch (error) {
    await rm(aside, { force: true });
    if (signal.aborted) throw new StartError("备份已中止，没有留下文件。");
    if (isWriteTrouble(error))
      throw new StartError(`备份文件 ${path} 无法写入（${error.message}）。`, { cause: error });
    throw error;
  }
}

/** Whoever reads it may get a part only, which a restore finds out. */
export async function writeGzipToStdout(texts: AsyncIterable<string>, signal: AbortSignal): Promise<void> {
  try {
    await pipeline(Readable.from(texts), createGzip(), standardOutput(), { signal });
  } catch (error) {
    throw signal.aborted ? new StartError("备份已中止：请勿使用已写出的部分。") : error;
  }
}

/** Its own errors become sentences here: further on, a pipe that closes could as well be the database's. */
function standardOutput(): Writable {
  // Each is handed to whoever wrote.
  process.stdout.on("error", () => undefined);
  return new Writable({
    write(chunk, _encoding, done) {
      process.stdout.write(chunk, (error) => done(error ? incomplete(error) : null));
    },
  });
}

function incomplete(error: NodeJS.ErrnoException): StartError {
  const what = error.code === "EPIPE" ? "已被关闭" : `无法写入（${error.message}）`;
  return new StartError(`标准输出${what}，备份不完整：请勿使用已写出的部分。`, { cause: error });
}

export function assertFree(path: string, overwrite: boolean): void {
  if (!overwrite && existsSync(path)) throw new StartError(`${path} 已存在：请换一个文件名，或加 --force 覆盖它。`);
}

/** Else the new name may be lost with the power. */
async function flushDirectory(directory: string): Promise<void> {
  const handle = await open(directory);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function isWriteTrouble(error: unknown): error is NodeJS.ErrnoException {
  if (!(error instanceof Error) || !("syscall" in error)) return false;
  return ["open", "write", "fsync", "rename", "close"].includes(String(error.syscall));
}
