import { setTimeout as sleep } from "node:timers/promises";
import { Migrator } from "@mikro-orm/migrations";
import { type MigrationObject, MikroORM } from "@mikro-orm/postgresql";
import pg, { type Pool } from "pg";
import type { Log } from "../core/log.ts";
import { ENTITIES, MIGRATIONS } from "./entities.ts";

export const MIGRATIONS_TABLE = "schema_migrations";
/** The embedded database has one session. */
const POOL_SIZE = { server: 10, embedded: 1 } as const;
const CONNECT_TIMEOUT = { connectionTimeoutMillis: 5_000 };
/** Milliseconds, unless the name says seconds. */
const TIMEOUTS = {
  query_timeout: 20_000,
  // Ends connections to a former primary, and connections that broke without a word.
  maxLifetimeSeconds: 60,
};
/** On a server only: the embedded database ignores them. */
const SERVER_TIMEOUTS = {
  statement_timeout: 15_000,
  // A process that freezes inside a transaction must not keep its locks.
  idle_in_transaction_session_timeout: 10_000,
};

const CLOSE_TIMEOUT_MS = 2_000;
const CLOSE_POLL_MS = 10;

export type DatabaseConnection =
  | { readonly kind: "server"; readonly url: string }
  | {
      readonly kind: "embedded";
      /** The directory of its socket. */
      readonly host: string;
      readonly port: number;
      readonly user: string;
      readonly password: string;
      readonly database: string;
    };

export interface OrmOptions {
  readonly connection: DatabaseConnection;
  readonly log: Log;
  readonly poolSize?: number;
  /** `none`: for migrations and commands, which take as long as they take. */
  readonly limits?: "serving" | "none";
  /** By names that are stored in the database: a build may rename the classes. */
  readonly migrations?: MigrationObject[];
}

/** The ORM on a PostgreSQL server or the embedded database. Connects with the first query. */
export async function openOrm(options: OrmOptions): Promise<MikroORM> {
  const {
    connection,
    log,
    poolSize = POOL_SIZE[connection.kind],
    limits = "serving",
    migrations = MIGRATIONS,
  } = options;
  const orm = await MikroORM.init({
    entities: ENTITIES,
    ...addressOf(connection),
    pool: { min: 0, max: poolSize, idleTimeoutMillis: 30_000 },
    driverOptions: {
      types: { getTypeParser },
      keepAlive: true,
      // The ORM takes only host, port, names and password from `clientUrl`: `sslmode` would be lost.
      ...connectionConfig(connection),
      ...(limits === "serving" ? TIMEOUTS : {}),
      ...(limits === "serving" && connection.kind === "server" ? SERVER_TIMEOUTS : {}),
    },
    // Else the ORM's first query asks on a connection of its own whether the database exists.
    ensureDatabase: false,
    extensions: [Migrator],
    migrations: { migrationsList: migrations, snapshot: false, tableName: MIGRATIONS_TABLE, silent: true },
    logger: (message) => log.debug({ orm: true }, message),
  });
  await orm.connect();
  return orm;
}

/** Kysely 0.29 loses a connection that is being acquired while its pool ends, and the pool then never ends: wait for callers first. */
export async function closeOrm(orm: MikroORM): Promise<void> {
  const pool: Pool = await orm.driver.getConnection().getNativeClient();
  const isBusy = () => pool.waitingCount > 0 || pool.idleCount < pool.totalCount;
  for (let waited = 0; waited < CLOSE_TIMEOUT_MS && isBusy(); waited += CLOSE_POLL_MS) await sleep(CLOSE_POLL_MS);
  await orm.close(true);
}

/** For a connection of `pg` outside of the ORM's pool. */
export function connectionConfig(connection: DatabaseConnection): pg.ClientConfig {
  if (connection.kind === "server") {
    return { connectionString: connection.url, application_name: "host-console", ...CONNECT_TIMEOUT };
  }
  const { kind: _, ...address } = connection;
  return { ...address, ...CONNECT_TIMEOUT };
}

function addressOf(connection: DatabaseConnection) {
  if (connection.kind === "server") return { clientUrl: connection.url };
  const { host, port, user, password, database } = connection;
  return { host, port, user, password, dbName: database };
}

/** bigint columns hold seconds and counts, far below 2^53. The ORM expects dates as text. */
function getTypeParser(oid: number, format?: "text" | "binary") {
  const { INT8, DATE, TIMESTAMP, TIMESTAMPTZ } = pg.types.builtins;
  if (oid === INT8) return Number;
  if ([DATE, TIMESTAMP, TIMESTAMPTZ].some((type) => type === oid)) return (text: string) => text;
  return pg.types.getTypeParser(oid, format);
}
