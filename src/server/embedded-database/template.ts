import { constants, existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type EmbeddedConnection, type EmbeddedDatabase, openEmbeddedDatabase } from "./open.ts";
import type { EmbeddedDatabaseLog } from "./start-worker.ts";

export interface TemplateOptions {
  /** Where the template is kept. Its name should hold a hash of all that `build` depends on: it is built once. */
  readonly templateDir: string;
  /** Fills a new database: migrations, mostly. Closes what it connects. */
  readonly build: (connection: EmbeddedConnection) => Promise<void>;
  readonly log: EmbeddedDatabaseLog;
}

/** A private copy of the template, for one test process; disposing it deletes the copy. */
export async function openFromTemplate(options: TemplateOptions): Promise<EmbeddedDatabase> {
  await ensureTemplate(options);
  await using resources = new AsyncDisposableStack();
  const dataDir = resources.adopt(await mkdtemp(join(tmpdir(), "host-console-db-")), removeAll);
  await cp(join(options.templateDir, "pg"), join(dataDir, "pg"), { recursive: true, mode: constants.COPYFILE_FICLONE });
  const database = resources.use(await openEmbeddedDatabase({ dataDir, log: options.log }));

  const opened = resources.move();
  return { ...database, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

/** Builds the template unless it is there. Several processes may do so at once: one wins, all see a whole one. */
export async function ensureTemplate({ templateDir, build, log }: TemplateOptions): Promise<void> {
  if (existsSync(templateDir)) return;
  await mkdir(dirname(templateDir), { recursive: true });
  const aside = await mkdtemp(`${templateDir}.building-`);
  try {
    {
      await using database = await openEmbeddedDatabase({ dataDir: aside, log });
      await build(database.connection);
    }
    await rename(aside, templateDir);
  } catch (error) {
    await removeAll(aside);
    if (!existsSync(templateDir)) throw error;
  }
}

function removeAll(directory: string): Promise<void> {
  return rm(directory, { recursive: true, force: true });
}
