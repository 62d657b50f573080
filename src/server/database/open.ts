import { Migrator } from "@mikro-orm/migrations";
import { type MigrationObject, MikroORM, type Options } from "@mikro-orm/postgresql";
import pg, { type Pool } from "pg";
import type { Log } from "../core/log.ts";
import type { Metrics } from "../core/metrics.ts";
import { StartError } from "../core/start-error.ts";
import { ADVISORY_LOCKS } from "./advisory-locks.ts";
import { type Ask, askOn, hasTable } from "./ask.ts";
import type { DatabaseWire } from "./database-wire.ts";

const INT8_OID = 20;
const MIGRATIONS_TABLE = "schema_migrations";

export type DatabaseConnection = (
  | { readonly kind: "server"; readonly url: string }
  | {
      readonly kind: "embedded";
      readonly host: string;
      readonly port: number;
      readonly user: string;
      readonly password: string;
      readonly database: string;
    }
) & {
  /** Makes the sockets; the driver does unless given. */
  readonly stream?: DatabaseWire["open"];
};

export interface DatabaseOptions {
  readonly connection: DatabaseConnection;
  readonly entities: NonNullable<Options["entities"]>;
  /** By names that stand in the database: the classes' own may be changed where the server is built. */
  readonly migrations: MigrationObject[];
  readonly log: Log;
  /** Connections of this process. */
  readonly poolSize: number;
  /** `serving` unless given: nothing takes longer than somebody would wait for an answer. `none` is for a command, which takes as long as it takes. */
  readonly limits?: "serving" | "none";
  readonly metrics?: Pick<Metrics, "observePool">;
}

/** Bounds a stalled connection from this side; the server's own limit is below it. Milliseconds, as below. */
const SERVING_LIMITS = { query_timeout: 20_000 };
const SERVER_LIMITS = {
  statement_timeout: 15_000,
  // A process that froze in the middle of a transaction must not keep its locks from the others for as long as it sleeps.
  idle_in_transaction_session_timeout: 10_000,
};

/** The ORM on a PostgreSQL server or the embedded database: one driver, one behaviour. Nothing is connected until the first query. */
export function openOrm({
  connection,
  entities,
  migrations,
  log,
  poolSize,
  limits = "serving",
  metrics,
}: DatabaseOptions): Promise<MikroORM> {
  return MikroORM.init({
    entities,
    ...connectionOptions(connection),
    pool: { min: 0, max: poolSize, idleTimeoutMillis: 30_000 },
    driverOptions: {
      types: { getTypeParser: getTypeParser },
      onPoolCreated(pool: Pool) {
        metrics?.observePool(pool);
      },
      ...streamOption(connection),
      connectionTimeoutMillis: 5_000,
      // A connection to a former primary, or one that fell silent, is gone after a minute.
      ...(limits === "serving" ? { maxLifetimeSeconds: 60 } : {}),
      keepAlive: true,
      ...(limits === "serving" ? SERVING_LIMITS : {}),
      // The address as it is, for the ORM takes only host, port, names and password from it: `sslmode` would be lost.
      ...(connection.kind === "server"
        ? {
            connectionString: connection.url,
            ...(limits === "serving" ? SERVER_LIMITS : {}),
            application_name: "host-console",
          }
        : {}),
    },
    extensions: [Migrator],
    migrations: { migrationsList: migrations, snapshot: false, tableName: MIGRATIONS_TABLE, silent: true },
    logger: (message) => log.debug({ orm: true }, message),
  });
}

/** Runs what is missing, however long it takes. One process migrates, others wait for it; a process that comes late finds nothing to do. */
export async function migrate(options: Omit<DatabaseOptions, "poolSize" | "limits" | "metrics">): Promise<void> {
  await holdingMigrationLock(options.connection, async (ask) => {
    if (await areAllRun(ask, options)) return;
    const orm = await openOrm({ ...options, poolSize: 1, limits: "none" });
    try {
      await orm.migrator.up();
    } finally {
      await orm.close(true);
    }
  });
}

/** Nearly every start finds them so, and the migrator takes long to say it. */
async function areAllRun(ask: Ask, { migrations, log }: Pick<DatabaseOptions, "migrations" | "log">): Promise<boolean> {
  if (!(await hasTable(ask, MIGRATIONS_TABLE))) return false;
  const run = (await ask<{ name: string }>(`select name from ${MIGRATIONS_TABLE} order by id`)).map(({ name }) => name);
  const unknown = run.filter((name) => migrations.every((known) => known.name !== name));
  // No reason to stop: while replicas are replaced one after the other, one of the old version may have to start once more.
  if (unknown.length > 0) log.warn({ migrations: unknown }, "the database belongs to a newer version");
  return migrations.every(({ name }) => run.includes(name));
}

/** While this works, no process migrates: what starts meanwhile waits. */
export async function holdingMigrationLock<Result>(
  connection: DatabaseConnection,
  work: (ask: Ask) => Promise<Result>,
): Promise<Result> {
  const client = await connect(connection).catch((error: unknown) => {
    throw new StartError(`DATABASE_URL: the database cannot be reached (${reasonOf(error)})`, { cause: error });
  });
  try {
    await client.query("select pg_advisory_lock($1)", [ADVISORY_LOCKS.migration]);
    return await work(askOn(client));
  } finally {
    await client.end();
  }
}

async function connect(connection: DatabaseConnection): Promise<pg.Client> {
  // Reads the files that the address names, so it may fail already.
  const client = new pg.Client(connectionConfig(connection));
  // The connection only holds the lock; when it breaks, the migration's own connection says so.
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

/** For connections beside the ORM's pool: the queue, LISTEN. */
export function connectionConfig(connection: DatabaseConnection): pg.ClientConfig {
  const common = { ...streamOption(connection), connectionTimeoutMillis: 5_000 };
  if (connection.kind === "server") return { ...common, connectionString: connection.url };
  const { host, port, user, password, database } = connection;
  return { ...common, host, port, user, password, database };
}

function streamOption({ stream }: DatabaseConnection): Pick<pg.ClientConfig, "stream"> {
  return stream === undefined ? {} : { stream };
}

function connectionOptions(connection: DatabaseConnection): Options {
  if (connection.kind === "server") return { clientUrl: connection.url };
  const { host, port, user, password, database } = connection;
  return { host, port, user, password, dbName: database };
}

/** A name with several addresses fails with several errors and no message of its own. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(", ");
  return error instanceof Error ? error.message : String(error);
}

/** bigint columns hold seconds and counts, all far below 2^53; the ORM wants dates as text. */
function getTypeParser(oid: number, format?: "text" | "binary") {
  if (oid === INT8_OID) return Number;
  if ([1082, 1114, 1184, 1186].includes(oid)) return (text: string) => text;
  return pg.types.getTypeParser(oid, format);
}
