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
 * database yet.
 */
export function readKeyFile(dataDir: string, make: boolean): FileKeys {
  const path = join(dataDir, FILE);
  try {
    if (!existsSync(path)) {
      if (!make || existsSync(join(dataDir, "pg"))) {
        throw new StartError(`${path}: is missing; put the key file there, or set ENCRYPTION_KEY`);
      }
      mkdirSync(dataDir, { recursive: true, mode: 0o700 });
      try {
        // A link never replaces the file of another process that starts at the same time.
        writeKeyFile(path, { current: randomBytes(32), old: [] }, linkSync);
      } catch (error) {
        if (!existsSync(path)) throw error;
      }
    }
    const lines = readFileSync(path, "utf8").trim().split("\n");
    const [current, ...old] = lines.map((line) => Buffer.from(line, "base64"));
    if (current !== undefined && lines.every((line) => KEY_PATTERN.test(line)))
      return { current, old };
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`DATA_DIR: ${dataDir} cannot be used (${reasonOf(error)})`, {
      cause: error,
    });
  }
  throw new StartError(`${path}: must hold 32 bytes, base64; restore it from a backup`);
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
