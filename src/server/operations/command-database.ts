import { DATABASE } from "../../../mikro-orm.config.ts";
import { programActor } from "../platform/actor.ts";
import { checkServer } from "../platform/database/check-server.ts";
import { readSchema } from "../platform/database/migrate.ts";
import { openOrm } from "../platform/database/open.ts";
import {
  type Access,
  type DatabaseTarget,
  openConnection,
} from "../platform/database/open-connection.ts";
import { StartError } from "../platform/errors.ts";
import { createLocalBus } from "../platform/local-bus.ts";
import type { Log } from "../platform/log.ts";

export interface CommandOptions {
  /** The name of the command, by which it is known as an actor. */
  readonly name: string;
  readonly access: Access;
  readonly log: Log;
}

/**
 * Opens the database for one command: one connection, no time limits. Throws StartError when it
 * cannot be opened.
 */
export async function openCommandDatabase(
  target: DatabaseTarget,
  { name, access, log }: CommandOptions,
) {
  await using resources = new AsyncDisposableStack();
  const { connection } = resources.use(await openConnection(target, access, log));
  const orm = await openOrm({ connection, definition: DATABASE, log, isCommand: true });
  resources.defer(() => orm.close(true));

  const db = orm.em.fork().getKysely();
  if (connection.kind === "server") await checkServer(db);
  const schema = await readSchema(db);
  if (schema.length === 0 && access !== "create") {
    throw new StartError("数据库中没有本程序的数据：请检查 DATABASE_URL 或 DATA_DIR。");
  }
  const opened = resources.move();
  const deps = {
    em: orm.em.fork(),
    bus: createLocalBus(),
    actor: programActor("command", name),
    log,
  };
  return { orm, connection, deps, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}
