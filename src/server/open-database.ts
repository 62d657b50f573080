import type { Config } from "./config/config.ts";
import type { Log } from "./core/log.ts";
import type { DatabaseConnection } from "./database/open.ts";
import {
  type EmbeddedDatabase,
  type EmbeddedDatabaseOptions,
  startEmbeddedDatabase,
} from "./embedded-database/open.ts";

/** A database that can be connected to once it is opened. Disposing it closes the embedded one. */
export interface OpenedDatabase extends AsyncDisposable {
  readonly connection: DatabaseConnection;
  /** Rejects when it cannot be opened. */
  readonly opened: Promise<void>;
  /** Whether its schema may be an older one, or none yet. */
  readonly needsMigration: boolean;
  /** Resolves when it has died by itself; then nothing works. */
  readonly failed: Promise<Error>;
  readonly embedded: { readonly usage: EmbeddedDatabase["usage"]; readonly dataDir: string } | null;
}

/** The server that the configuration names, which nobody asks yet, or the embedded database. */
export async function openDatabase(
  { databaseUrl, dataDir }: Pick<Config, "databaseUrl" | "dataDir">,
  log: Log,
  options: Pick<EmbeddedDatabaseOptions, "signal"> = {},
): Promise<OpenedDatabase> {
  if (databaseUrl !== null) return databaseOf({ kind: "server", url: databaseUrl });
  const started = await startEmbeddedDatabase({ ...options, dataDir, log });
  const { connection, opened, failed, usage, ...embedded } = started;
  return {
    ...databaseOf({ kind: "embedded", ...connection }),
    opened,
    failed,
    embedded: { usage, dataDir },
    [Symbol.asyncDispose]: embedded[Symbol.asyncDispose],
  };
}

/** A database that somebody else runs. */
export function databaseOf(connection: DatabaseConnection): OpenedDatabase {
  return {
    connection,
    opened: Promise.resolve(),
    needsMigration: true,
    failed: new Promise(() => undefined),
    embedded: null,
    [Symbol.asyncDispose]: async () => undefined,
  };
}
