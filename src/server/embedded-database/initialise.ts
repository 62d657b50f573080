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

export interface Initialisation {
  readonly dataDir: string;
  readonly directory: string;
  /** Breaks it off. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Makes a new database at `directory`, inside the locked `dataDir`. In a process of its own, because the 500 MB that it
 * takes would not all come back to the system; aside and renamed, so that a killed process leaves no half of one.
 */
export async function initialise({ dataDir, directory, signal }: Initialisation): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (name.startsWith("pg.new-")) await rm(join(dataDir, name), { recursive: true, force: true });
  }
  const aside = await mkdtemp(join(dataDir, "pg.new-"));
  const script = fileURLToPath(programUrl("create-directory"));
  try {
    await promisify(execFile)(process.execPath, [...FLAGS, script, aside], { timeout: LIMIT, signal }).catch(
      (cause) => {
        // Its own words are a page of PostgreSQL's and Node's, of which the reason is a number.
        throw new Error("创建数据库失败，请检查磁盘空间（至少 100 MB）和内存", { cause });
      },
    );
    await chmod(aside, 0o700);
    await rename(aside, directory);
  } catch (error) {
    // What cannot be removed now, the next start removes.
    await rm(aside, { recursive: true, force: true }).catch(() => undefined);
    throw error;
  }
}
