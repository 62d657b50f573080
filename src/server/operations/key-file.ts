import { randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { StartError } from "../core/start-error.ts";
import { makeDirectory } from "../embedded-database/make-directory.ts";

const KEY_BYTES = 32;
const KEY_LINE = /^[A-Za-z0-9+/]{43}=$/;

/** The keys that the embedded mode made for itself. `old` ones are there only from the beginning of a rotation to its end. */
export interface FileKeys {
  readonly current: Buffer;
  readonly old: readonly Buffer[];
}

export function keyFileOf(dataDir: string): string {
  return join(dataDir, "encryption.key");
}

/** The embedded mode makes its own key, beside the data that it seals. `make`: whether to, when there is none. */
export function readKeyFile(dataDir: string, make: boolean): FileKeys {
  const path = keyFileOf(dataDir);
  try {
    if (!existsSync(path)) {
      if (existsSync(join(dataDir, "pg"))) {
        throw new StartError(`${path}: is missing although there is a database; restore it, or set ENCRYPTION_KEY`);
      }
      if (!make) throw new StartError(`${path}: is missing; put the key file there, or set ENCRYPTION_KEY`);
      makeDirectory(dataDir);
      makeKeyFile(path);
    }
    const lines = readFileSync(path, "utf8").trim().split("\n");
    const [current, ...old] = lines.map((line) => Buffer.from(line, "base64"));
    if (current !== undefined && lines.every((line) => KEY_LINE.test(line))) return { current, old };
  } catch (error) {
    if (error instanceof StartError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`DATA_DIR: ${dataDir} cannot be used (${reason})`, { cause: error });
  }
  throw new StartError(`${path}: must hold 32 bytes, base64; restore it from a backup`);
}

export function newKey(): Buffer {
  return randomBytes(KEY_BYTES);
}

/** One key a line, the present one first. Replaced whole, and on the disk when this returns. */
export function replaceKeyFile(dataDir: string, { current, old }: FileKeys): void {
  const path = keyFileOf(dataDir);
  const aside = `${path}.${process.pid}`;
  try {
    writeFileSync(aside, [current, ...old].map(lineOf).join(""), { mode: 0o600, flush: true });
    renameSync(aside, path);
    flush(dirname(path));
  } finally {
    rmSync(aside, { force: true });
  }
}

/** Waits until the disk has a file, or the names in a directory. */
export function flush(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Whole or not at all, and never in the place of another: two processes may be starting here for the first time. */
function makeKeyFile(path: string): void {
  const aside = `${path}.${process.pid}`;
  try {
    writeFileSync(aside, lineOf(newKey()), { mode: 0o600 });
    linkSync(aside, path);
  } catch (error) {
    if (!existsSync(path)) throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

function lineOf(key: Buffer): string {
  return `${key.toString("base64")}\n`;
}
