import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config/config.ts";
import { StartError } from "../core/errors.ts";
import type { Log } from "../core/log.ts";
import { readSchema } from "../database/migrate.ts";
import { type DatabaseConnection, openOrm } from "../database/open.ts";
import { connectionTo, openEmbeddedDatabase } from "../embedded-database/open.ts";

export type DatabasePlace = Pick<Config, "databaseUrl" | "dataDir">;

/** `read` works beside a running server; `create` makes an embedded database when there is none. */
type Access = "read" | "change" | "create";

/** Opens the database for one command: one connection, no time limits. Throws StartError when it cannot be opened. */
export async function openCommandDatabase({ databaseUrl, dataDir }: DatabasePlace, access: Access, log: Log) {
  await using resources = new AsyncDisposableStack();

  async function openEmbedded(): Promise<DatabaseConnection> {
    const running = connectionTo(dataDir);
    if (access !== "create" && !existsSync(join(dataDir, "pg"))) {
      throw new StartError(`数据目录 ${dataDir} 中没有数据库：请检查 DATA_DIR。`);
    }
    try {
      const embedded = resources.use(await openEmbeddedDatabase({ dataDir, log }));
      return { kind: "embedded", ...embedded.connection };
    } catch (error) {
      const isReachable = error instanceof StartError && existsSync(join(dataDir, `.s.PGSQL.${running.port}`));
      if (access === "read" && isReachable) return { kind: "embedded", ...running };
      throw error;
    }
  }

  const onServer = databaseUrl === null ? null : { kind: "server" as const, url: databaseUrl };
  const orm = await openOrm({ connection: onServer ?? (await openEmbedded()), log, isCommand: true });
  resources.defer(() => orm.close(true));
  const schema = await readSchema(orm.em.fork().getKysely());
  if (schema.length === 0 && access !== "create") {
    throw new StartError("数据库中没有本程序的数据：请检查 DATABASE_URL 或 DATA_DIR。");
  }
  const opened = resources.move();
  return { orm, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}
