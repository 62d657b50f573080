import pg from "pg";
import { StartError } from "../core/errors.ts";
import { MIGRATIONS } from "./entities.ts";
import { connectionConfig, type DatabaseConnection, MIGRATIONS_TABLE, type OrmOptions, openOrm } from "./open.ts";
import { ADVISORY_LOCKS } from "./sql.ts";

type MigrateOptions = Pick<OrmOptions, "connection" | "log" | "migrations">;

/** Runs the migrations that are missing, without a time limit. One process migrates, the others wait. */
export async function migrate(options: MigrateOptions): Promise<void> {
  const { connection } = options;
  const client = await connect(connection).catch((cause: unknown) => {
    throw new StartError(`DATABASE_URL: the database cannot be reached (${reasonOf(cause)})`, { cause });
  });
  try {
    // The embedded database has no other process.
    if (connection.kind === "server") await client.query("select pg_advisory_lock($1)", [ADVISORY_LOCKS.migration]);
    if (await isMigrated(client, options)) return;
    const orm = await openOrm({ ...options, isCommand: true });
    await orm.migrator.up().finally(() => orm.close(true));
  } finally {
    await client.end();
  }
}

/** Much faster than the migrator, and nearly every start finds nothing to do. */
async function isMigrated(client: pg.Client, { migrations = MIGRATIONS, log }: MigrateOptions): Promise<boolean> {
  const table = await client.query(`select to_regclass('${MIGRATIONS_TABLE}') as name`);
  if (table.rows[0].name === null) return false;
  const { rows } = await client.query<{ name: string }>(`select name from ${MIGRATIONS_TABLE} order by id`);
  const done = rows.map(({ name }) => name);
  const known = migrations.map(({ name }) => name);
  const unknown = done.filter((name) => !known.includes(name));
  // Not refused: while replicas are upgraded one by one, an old one may restart.
  if (unknown.length > 0) log.warn({ migrations: unknown }, "the database belongs to a newer version");
  return known.every((name) => done.includes(name));
}

async function connect(connection: DatabaseConnection): Promise<pg.Client> {
  // The constructor reads the files that the URL names, and may throw.
  const client = new pg.Client(connectionConfig(connection));
  // The query that runs reports a broken connection too.
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

/** A host name with several addresses fails with several errors. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(", ");
  return error instanceof Error ? error.message : String(error);
}
