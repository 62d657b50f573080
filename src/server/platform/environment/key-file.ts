import { randomBytes } from "node:crypto";
import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { reasonOf, StartError } from "../errors.ts";

export const KEY_PATTERN = /^[A-Za-z0-9+/]{43}=$/;
const FILE = "encryption.key";

/** One key a line, base64; `old` are those that it replaced. */
export interface FileKeys {
  readonly current: Buffer;
  readonly old: readonly Buffer[];
}

/**
 * Reads `encryption.key` in the data directory. `make`: whether to generate it when there is no
 * database yet. Throws StartError.
 */
export function readKeyFile(dataDir: string, make: boolean): FileKeys {
  const path = join(dataDir, FILE);
  try {
    if (!existsSync(path)) {
      if (!make || existsSync(join(dataDir, "pg"))) throw keyMissing(path);
      makeKeyFile(dataDir, path);
    }
    return parseKeys(path, readFileSync(path, "utf8"));
  } catch (error) {
    if (error instanceof StartError) throw error;

    const message = `DATA_DIR: ${dataDir} cannot be used (${reasonOf(error)})`;
    throw new StartError(message, { cause: error });
  }
}

function makeKeyFile(dataDir: string, path: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  try {
    // A link never replaces the file of another process that starts at the same time.
    writeKeyFile(path, { current: randomBytes(32), old: [] }, linkSync);
  } catch (error) {
    if (!existsSync(path)) throw error;
  }
}

function parseKeys(path: string, text: string): FileKeys {
  const lines = text.trim().split("\n");
  const [current, ...old] = lines.map((line) => Buffer.from(line, "base64"));
  if (current === undefined || !lines.every((line) => KEY_PATTERN.test(line))) {
    throw new StartError(`${path}: must hold 32 bytes, base64; restore it from a backup`);
  }
  return { current, old };
}

function keyMissing(path: string): StartError {
  return new StartError(`${path}: is missing; put the key file there, or set ENCRYPTION_KEY`);
}

export function replaceKeyFile(dataDir: string, keys: FileKeys): void {
  writeKeyFile(join(dataDir, FILE), keys, renameSync);
}

function writeKeyFile(
  path: string,
  { current, old }: FileKeys,
  move: typeof linkSync | typeof renameSync,
): void {
  const partial = `${path}.${process.pid}`;
  try {
    const lines = [current, ...old].map((key) => `${key.toString("base64")}\n`);
    writeFileSync(partial, lines.join(""), { mode: 0o600, flush: true });
    move(partial, path);
  } finally {
    rmSync(partial, { force: true });
  }
}
