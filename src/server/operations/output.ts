import { createWriteStream, existsSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { StartError } from "../core/errors.ts";

/** Gzips text into a file (0600) that appears only when it is complete. */
export async function writeFile(path: string, text: Readable): Promise<void> {
  const partial = join(dirname(path), `.${basename(path)}.${process.pid}.partial`);
  const remove = () => rmSync(partial, { force: true });
  // A signal exits the process without returning here.
  process.once("exit", remove);
  try {
    await pipeline(text, createGzip(), createWriteStream(partial, { flags: "wx", mode: 0o600, flush: true }));
    renameSync(partial, path);
  } catch (error) {
    throw isFileError(error)
      ? new StartError(`备份文件 ${path} 无法写入（${error.message}）。`, { cause: error })
      : error;
  } finally {
    remove();
    process.off("exit", remove);
  }
}

export function assertFree(path: string): void {
  if (existsSync(path)) throw new StartError(`${path} 已存在：请换一个文件名，或加 --force 覆盖它。`);
}

/** Gzips text to standard output. */
export async function writeStandardOutput(text: Readable): Promise<void> {
  // The callback of the write reports the error.
  process.stdout.on("error", () => undefined);
  const output = new Writable({
    write: (chunk, _encoding, done) => process.stdout.write(chunk, (error) => done(error ? incomplete(error) : null)),
  });
  await pipeline(text, createGzip(), output);
}

function incomplete(error: NodeJS.ErrnoException): StartError {
  const reason = error.code === "EPIPE" ? "已被关闭" : `无法写入（${error.message}）`;
  return new StartError(`标准输出${reason}，备份不完整：请勿使用已写出的部分。`, { cause: error });
}

/** Errors of the database's socket have other system calls. */
function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error && /^(open|write|fsync|rename|close)$/.test(`${error.syscall}`);
}
