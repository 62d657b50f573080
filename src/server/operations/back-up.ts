import type { Log } from "../core/log.ts";
import { askOn } from "../database/ask.ts";
import { connect, type DatabasePlace, openToRead } from "./command-database.ts";
import { dumpDatabase } from "./dump.ts";
import type { BackupHeader } from "./file-format.ts";
import { assertFree, writeGzipFile, writeGzipToStdout } from "./write-file.ts";

export interface BackUpOptions {
  readonly place: DatabasePlace;
  /** Null: standard output. */
  readonly file: string | null;
  readonly overwrite: boolean;
  readonly productVersion: string;
  /** Names of all migrations that this program knows. */
  readonly knownSchema: readonly string[];
  readonly signal: AbortSignal;
  readonly log: Log;
}

/** Writes everything worth keeping and answers the header. Servers may run. */
export async function backUp(options: BackUpOptions): Promise<BackupHeader> {
  const { file, overwrite, signal, productVersion, knownSchema } = options;
  if (file !== null) assertFree(file, overwrite);
  await using database = await openToRead(options.place, options.log);
  await using client = await connect(database.connection);
  // A database that says nothing would be waited for otherwise: the driver hangs up on one that has a question open.
  signal.addEventListener("abort", () => void client.end(), { once: true });
  const written = Promise.withResolvers<BackupHeader>();
  const texts = dumpDatabase({
    ask: askOn(client),
    productVersion,
    takenAt: Math.floor(Date.now() / 1000),
    knownSchema,
    onHeader: written.resolve,
  });
  if (file === null) await writeGzipToStdout(texts, signal);
  else await writeGzipFile(file, texts, { overwrite, signal });
  return await written.promise;
}
