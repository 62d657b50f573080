import { existsSync } from "node:fs";
import { join } from "node:path";
import { connectionTo, openEmbeddedDatabase } from "../embedded-database/open.ts";
import { StartError } from "../errors.ts";
import type { Log } from "../log.ts";
import type { DatabaseConnection } from "./open.ts";

/**
 * The settings that say which database is meant: the address of a server, else the embedded one in
 * a directory.
 */
export interface DatabaseTarget {
  readonly databaseUrl: string | null;
  readonly dataDir: string;
}

/**
 * `read` and `act`, which changes a few rows as a call would, work beside a running server; `create`
 * makes an embedded database when there is none.
 */
export type Access = "read" | "act" | "change" | "create";

export interface OpenConnection extends AsyncDisposable {
  readonly connection: DatabaseConnection;
}

/** Starts the embedded database if it is meant. Disposing it stops it again. Throws StartError. */
export async function openConnection(
  { databaseUrl, dataDir }: DatabaseTarget,
  access: Access,
  log: Log,
): Promise<OpenConnection> {
  if (databaseUrl !== null) return alreadyOpen({ kind: "server", url: databaseUrl });

  if (access !== "create" && !hasEmbeddedDatabase(dataDir)) {
    throw new StartError(`数据目录 ${dataDir} 中没有数据库：请检查 DATA_DIR。`);
  }
  try {
    const embedded = await openEmbeddedDatabase({ dataDir, log });
    return {
      connection: { kind: "embedded", ...embedded.connection },
      [Symbol.asyncDispose]: () => embedded[Symbol.asyncDispose](),
    };
  } catch (error) {
    const running = connectionTo(dataDir);
    const isReachable =
      error instanceof StartError && existsSync(join(dataDir, `.s.PGSQL.${running.port}`));
    const worksBesideServer = access === "read" || access === "act";
    if (worksBesideServer && isReachable) return alreadyOpen({ kind: "embedded", ...running });
    throw error;
  }
}

export function hasEmbeddedDatabase(dataDir: string): boolean {
  return existsSync(join(dataDir, "pg"));
}

function alreadyOpen(connection: DatabaseConnection): OpenConnection {
  return { connection, async [Symbol.asyncDispose]() {} };
}
