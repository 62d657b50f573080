import { chmod } from "node:fs/promises";
import { getCompileCacheDir } from "node:module";
import { join, resolve } from "node:path";
import { DataDirError } from "./data-dir-error.ts";
import { initialise } from "./initialise.ts";
import { lockDataDir } from "./lock.ts";
import { maintain } from "./maintenance.ts";
import { makeDirectory } from "./make-directory.ts";
import { prepareSocketAddress, SIGN_IN } from "./socket-address.ts";
import { type EmbeddedDatabaseLog, type EmbeddedDatabaseUsage, startWorker } from "./start-worker.ts";
import { inspectPostgresDirectory } from "./version.ts";

/** What a PostgreSQL client connects with. */
export interface EmbeddedConnection {
  /** The socket's directory, or 127.0.0.1. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  /** Not checked: who may reach the socket may do everything. */
  readonly password: string;
}

export interface EmbeddedDatabase {
  readonly connection: EmbeddedConnection;
  /** Resolves when the database has died by itself; then every query fails and the server should stop. */
  readonly failed: Promise<Error>;
  usage(): Promise<EmbeddedDatabaseUsage>;
  /** Rolls back what is open, writes a checkpoint, frees the directory. Close the pools first. */
  [Symbol.asyncDispose](): Promise<void>;
}

export interface EmbeddedDatabaseOptions {
  /** Made (0700) when missing. */
  readonly dataDir: string;
  readonly log: EmbeddedDatabaseLog;
  /** Breaks off the making of a new database. */
  readonly signal?: AbortSignal;
}

/** One that begins to open: it cannot be connected to before `opened`, which rejects when it cannot be opened. */
export interface StartedEmbeddedDatabase extends EmbeddedDatabase {
  readonly opened: Promise<void>;
}

/**
 * PostgreSQL inside this process, in a thread of its own, for the ordinary driver. Throws DataDirError when the
 * directory is in use, or was made by another PostgreSQL.
 */
export async function openEmbeddedDatabase(options: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
  const database = await startEmbeddedDatabase(options);
  try {
    await database.opened;
    return database;
  } catch (error) {
    await database[Symbol.asyncDispose]();
    throw error;
  }
}

/** The same for whoever has something to do while it opens, which takes half a second. */
export async function startEmbeddedDatabase(options: EmbeddedDatabaseOptions): Promise<StartedEmbeddedDatabase> {
  const dataDir = resolve(options.dataDir);
  const { log, signal } = options;
  const compiledCodeDir = getCompileCacheDir() ?? null;
  const directory = join(dataDir, "pg");

  await using resources = new AsyncDisposableStack();
  try {
    // Before the lock, which already writes: a directory that is not ours stays untouched.
    inspectPostgresDirectory(directory);
    makeDirectory(dataDir);
    resources.use(lockDataDir(dataDir));
    if (inspectPostgresDirectory(directory) === "empty") {
      log.info({ dataDir }, "creating the embedded database");
      await initialise({ dataDir, directory, signal });
    }
  } catch (error) {
    throw error instanceof DataDirError ? error : unusable(dataDir, error);
  }

  const address = resources.use(await prepareSocketAddress(dataDir));
  const worker = resources.use(startWorker({ directory, listenOn: address.listenOn, compiledCodeDir }, log));
  const listening = worker.listening();
  // On a loopback port that is only known then.
  const port = "path" in address.listenOn ? address.port : ((await listening) ?? address.port);
  const connection = { host: address.host, port, ...SIGN_IN };
  const started = resources.move();
  const opened = listening.then(async () => {
    // Whatever the umask and the mode of the directory are.
    if ("path" in address.listenOn) await chmod(address.listenOn.path, 0o600);
    if (!started.disposed) started.use(maintain(connection, log));
  });
  // Told to whoever waits for it; nobody may yet.
  opened.catch(() => undefined);
  return {
    connection,
    opened,
    failed: worker.failed,
    usage: worker.usage,
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}

function unusable(dataDir: string, cause: unknown): DataDirError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new DataDirError(
    `数据目录 ${dataDir} 无法使用（${reason}）：请检查路径和权限，或用环境变量 DATA_DIR 指定其他目录。`,
    { cause },
  );
}
