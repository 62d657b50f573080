import { execFile } from "node:child_process";
import { chmod, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { programUrl } from "./program-url.ts";

/** Half the memory and no slower than V8's defaults: what runs once is not worth optimising. */
const FLAGS = ["--liftoff-only", "--max-semi-space-size=2", "--max-old-space-size=96"];
/** Ten times what it takes on a slow machine, milliseconds. */
const LIMIT = 120_000;

/**
 * Makes a new database at `directory`, inside the locked `dataDir`. In a process of its own, because the 500 MB that it
 * takes would not all come back to the system; aside and renamed, so that a killed process leaves no half of one.
 */
export async function initialise(dataDir: string, directory: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (name.startsWith("pg.new-")) await rm(join(dataDir, name), { recursive: true, force: true });
  }
  const aside = await mkdtemp(join(dataDir, "pg.new-"));
  const script = fileURLToPath(programUrl("create-directory"));
  await promisify(execFile)(process.execPath, [...FLAGS, script, aside], { timeout: LIMIT });
  await chmod(aside, 0o700);
  await rename(aside, directory);
}
