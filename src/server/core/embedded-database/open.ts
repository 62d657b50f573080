import { chmod, mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { DataDirError } from "./data-dir-error.ts";
import { initialise } from "./initialise.ts";
import { lockDataDir } from "./lock.ts";
import { maintain } from "./maintenance.ts";
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
}

/**
 * PostgreSQL inside this process, in a thread of its own, for the ordinary driver. Throws DataDirError when the
 * directory is in use, or was made by another PostgreSQL.
 */
export async function openEmbeddedDatabase(options: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
  const dataDir = resolve(options.dataDir);
  const { log } = options;
  const directory = join(dataDir, "pg");
  // Before the lock, which already writes: a directory that is not ours stays untouched.
  inspectPostgresDirectory(directory);

  await using resources = new AsyncDisposableStack();
  await mkdir(dataDir, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw unusable(dataDir, error);
  });
  resources.use(lockDataDir(dataDir));
  if (inspectPostgresDirectory(directory) === "empty") {
    log.info({ dataDir }, "creating the embedded database");
    await initialise(dataDir, directory);
  }

  const address = resources.use(await prepareSocketAddress(dataDir));
  const worker = resources.use(startWorker({ directory, listenOn: address.listenOn }, log));
  const port = (await worker.listening()) ?? address.port;
  // Whatever the umask and the mode of the directory are.
  if ("path" in address.listenOn) await chmod(address.listenOn.path, 0o600);
  const connection = { host: address.host, port, ...SIGN_IN };
  resources.use(maintain(connection, log));

  const opened = resources.move();
  return {
    connection,
    failed: worker.failed,
    usage: worker.usage,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

function unusable(dataDir: string, cause: unknown): DataDirError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new DataDirError(
    `数据目录 ${dataDir} 无法使用（${reason}）：请检查路径和权限，或用环境变量 DATA_DIR 指定其他目录。`,
    { cause },
  );
}
