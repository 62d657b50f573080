import { readdirSync } from "node:fs";
import { join } from "node:path";
import { createSecretBox } from "../core/secrets.ts";
import type { Ask } from "../database/ask.ts";
import { type FileKeys, flush, newKey, readKeyFile, replaceKeyFile } from "./key-file.ts";
import { type ResealResult, resealAll } from "./reseal.ts";

export interface RotateFileOptions {
  readonly ask: Ask;
  /** Hold its lock. */
  readonly dataDir: string;
  /** Former keys beside those in the file. */
  readonly oldKeys: readonly Buffer[];
  /** Whether a new key takes the place of the present one. */
  readonly makeNew: boolean;
}

/**
 * For the key that the embedded mode made for itself: the file holds the new and the old ones until every value is sealed with the new
 * one, and is replaced whole each time. So a server starts after a crash at any step, and running this again finishes it.
 */
export async function rotateKeyFile({ ask, dataDir, oldKeys, makeNew }: RotateFileOptions): Promise<ResealResult> {
  const before = readKeyFile(dataDir, false);
  const keys = makeNew ? { current: newKey(), old: [before.current, ...before.old] } : before;
  if (makeNew) replaceKeyFile(dataDir, keys);
  const result = await resealAll(ask, createSecretBox(keys.current, [...keys.old, ...oldKeys]));
  if (result.unopenable.length === 0 && keys.old.length > 0) await dropOldKeys(ask, dataDir, keys);
  return result;
}

/** The embedded database does not wait for the disk; without that a power loss could bring back values that only an old key opens. */
async function dropOldKeys(ask: Ask, dataDir: string, { current }: FileKeys): Promise<void> {
  await ask("checkpoint");
  const directory = join(dataDir, "pg");
  for (const path of readdirSync(directory, { recursive: true, encoding: "utf8" })) flush(join(directory, path));
  replaceKeyFile(dataDir, { current, old: [] });
}
