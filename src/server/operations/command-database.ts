import { join } from "node:path";
import pg from "pg";
import type { Log } from "../core/log.ts";
import { StartError } from "../core/start-error.ts";
import { connectionConfig, type DatabaseConnection } from "../database/open.ts";
import { DataDirError } from "../embedded-database/data-dir-error.ts";
import { openEmbeddedDatabase } from "../embedded-database/open.ts";
import { SIGN_IN, socketOf } from "../embedded-database/socket-address.ts";
import { inspectPostgresDirectory } from "../embedded-database/version.ts";

export interface DatabasePlace {
  readonly databaseUrl: string | null;
  readonly dataDir: string;
}

export interface OpenedDatabase extends AsyncDisposable {
  readonly connection: DatabaseConnection;
}

/** The database for a command that changes it: the embedded one for itself alone. Made when there is none. */
export async function openForCommand({ databaseUrl, dataDir }: DatabasePlace, log: Log): Promise<OpenedDatabase> {
  if (databaseUrl !== null) return atServer(databaseUrl);
  const embedded = await openEmbeddedDatabase({ dataDir, log });
  return {
    connection: { kind: "embedded", ...embedded.connection },
    [Symbol.asyncDispose]: () => embedded[Symbol.asyncDispose](),
  };
}

/** The same for what must be there already. */
export async function openExisting(place: DatabasePlace, log: Log): Promise<OpenedDatabase> {
  if (place.databaseUrl === null && inspectPostgresDirectory(join(place.dataDir, "pg")) === "empty") {
    throw new StartError(`数据目录 ${place.dataDir} 中没有数据库：请检查 DATA_DIR。`);
  }
  return await openForCommand(place, log);
}

/** The same for a command that only looks: also the embedded one of a running server, through its socket. */
export async function openToRead(place: DatabasePlace, log: Log): Promise<OpenedDatabase> {
  try {
    return await openExisting(place, log);
  } catch (error) {
    const running = error instanceof DataDirError ? await runningDatabase(place.dataDir) : null;
    if (running === null) throw error;
    return { connection: running, [Symbol.asyncDispose]: async () => undefined };
  }
}

/** One connection; an unreachable database is a StartError. */
export async function connect(connection: DatabaseConnection): Promise<pg.Client & AsyncDisposable> {
  const client = new pg.Client({ ...connectionConfig(connection), keepAlive: true });
  // A broken connection also rejects the query under way.
  client.on("error", () => undefined);
  await client.connect().catch((cause: unknown) => {
    throw new StartError(`数据库无法连接（${cause instanceof Error ? cause.message : String(cause)}）。`, { cause });
  });
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}

function atServer(url: string): OpenedDatabase {
  return { connection: { kind: "server", url }, [Symbol.asyncDispose]: async () => undefined };
}

/** Null when it cannot be reached: its socket is elsewhere, belongs to another user, or nobody listens yet. */
async function runningDatabase(dataDir: string): Promise<DatabaseConnection | null> {
  const socket = socketOf(dataDir);
  if (socket === null) return null;
  const connection: DatabaseConnection = {
    kind: "embedded",
    ...socket,
    ...SIGN_IN,
  };
  try {
    await using _reached = await connect(connection);
    return connection;
  } catch {
    return null;
  }
}
