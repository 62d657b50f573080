import { setTimeout as sleep } from "node:timers/promises";
import { Migrator } from "@mikro-orm/migrations";
import {
  type EntitySchema,
  type MigrationObject,
  MikroORM,
  type Options,
  PostgreSqlDriver,
} from "@mikro-orm/postgresql";
import pg, { type Pool } from "pg";
import type { Log } from "../log.ts";
import type { ConnectionWatch } from "./connection-watch.ts";
import { PostgresNames } from "./postgres-names.ts";

export const MIGRATIONS_TABLE = "schema_migrations";
const POOL_SIZE = { server: 10, embedded: 1 } as const;
/**
 * How long a call waits for one answer: longer than a server lets a statement take, and with the
 * wait for a connection less than callers wait. The embedded database obeys no other limit.
 */
export const ANSWER_LIMIT_MS = 18_000;
/** Ends connections to a former primary. */
const MAX_LIFETIME_SECONDS = 60;
const CONNECTION_TIMEOUT_MS = 5_000;
/** A peer that has vanished without a word is noticed within 20 s, also by an idle connection. */
const KEEP_ALIVE_DELAY_MS = 10_000;
/**
 * A stuck transaction must not exhaust the pool: it ends by itself, and whoever waits for its locks
 * gives up before the next caller gives up waiting for a connection. The embedded database ignores
 * these limits.
 */
const SERVER_TIMEOUTS = {
  statement_timeout: 15_000,
  lock_timeout: CONNECTION_TIMEOUT_MS - 1_000,
  idle_in_transaction_session_timeout: 10_000,
};
const CLOSE_TIMEOUT_MS = 2_000;
const CLOSE_POLL_MS = 10;

/** `host` of the embedded database: the directory of its socket. */
export type DatabaseConnection =
  | { readonly kind: "server"; readonly url: string }
  | ({ readonly kind: "embedded"; readonly port: number } & Readonly<
      Record<EmbeddedField, string>
    >);
type EmbeddedField = "host" | "user" | "password" | "database";

/**
 * What the modules store: their tables, and the migrations that make them. `mikro-orm.config.ts`
 * has the product's.
 */
export interface DatabaseDefinition {
  readonly entities: readonly EntitySchema[];
  /** In the order they are run. */
  readonly migrations: readonly MigrationObject[];
}

export interface OrmOptions {
  readonly connection: DatabaseConnection;
  readonly definition: DatabaseDefinition;
  readonly log: Log;
  /** One connection without time limits, for migrations and commands. */
  readonly isCommand?: boolean;
  /** How long a call waits for one answer of the embedded database: see `ANSWER_LIMIT_MS`. */
  readonly answerLimitMs?: number | undefined;
  /**
   * Watches the connections to a server, and names statements there. The embedded database has one
   * session for all connections, where a second one would find each name taken.
   */
  readonly watch?: ConnectionWatch | null;
}

/** Connects with the first query. */
export async function openOrm(options: OrmOptions): Promise<MikroORM> {
  const orm = await MikroORM.init(ormOptions(options));
  await orm.connect();
  return orm;
}

/**
 * The configuration of MikroORM, the same for the server, its commands, tests and MikroORM's
 * command line.
 */
export function ormOptions(options: OrmOptions): Options {
  const { connection, definition, log, isCommand = false } = options;
  const { answerLimitMs = ANSWER_LIMIT_MS, watch } = options;
  // The connections of a server are watched by connection-watch.ts.
  const timeouts =
    connection.kind === "server" ? SERVER_TIMEOUTS : { query_timeout: answerLimitMs };
  const poolSize = isCommand ? 1 : POOL_SIZE[connection.kind];

  return {
    driver: PostgreSqlDriver,
    entities: [...definition.entities],
    namingStrategy: PostgresNames,
    ...(connection.kind === "server"
      ? { clientUrl: connection.url }
      : { dbName: connection.database }),
    driverOptions: {
      types: { getTypeParser },
      // Here, not in `pool`, which MikroORM's command line overrides.
      min: 0,
      max: poolSize,
      idleTimeoutMillis: 30_000,
      // The ORM takes only host, port, names and password from `clientUrl`: `sslmode` would be
      // lost.
      ...connectionConfig(connection),
      ...(isCommand ? {} : { ...timeouts, maxLifetimeSeconds: MAX_LIFETIME_SECONDS }),
      ...watch?.poolOptions,
    },
    ensureDatabase: false,
    extensions: [Migrator],
    migrations: {
      migrationsList: [...definition.migrations],
      snapshot: false,
      tableName: MIGRATIONS_TABLE,
      silent: true,
    },
    schemaGenerator: { ignoreSchema: ["pgboss"], disableForeignKeys: false },
    logger: (message) => log.debug({ orm: true }, message),
  };
}

/**
 * Kysely 0.29 loses a connection that is being acquired while its pool ends, and the pool then
 * never ends. So this waits for callers first.
 */
export async function closeOrm(orm: MikroORM): Promise<void> {
  const pool: Pool = await orm.driver.getConnection().getNativeClient();
  const isBusy = () => pool.waitingCount > 0 || pool.idleCount < pool.totalCount;
  for (let waited = 0; waited < CLOSE_TIMEOUT_MS && isBusy(); waited += CLOSE_POLL_MS)
    await sleep(CLOSE_POLL_MS);
  await orm.close(true);
}

export function connectionConfig(connection: DatabaseConnection): pg.ClientConfig {
  // All callers share the one connection of the embedded database: a long wait for it is no
  // failure.
  if (connection.kind === "embedded")
    return { ...connection, connectionTimeoutMillis: ANSWER_LIMIT_MS };
  const connectionTimeoutMillis = CONNECTION_TIMEOUT_MS;
  return {
    connectionString: connection.url,
    application_name: "host-console",
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    connectionTimeoutMillis,
  };
}

/** bigint columns hold seconds and counts, far below 2^53. The ORM expects dates as text. */
function getTypeParser(oid: number, format?: "text" | "binary") {
  const { INT8, DATE, TIMESTAMP, TIMESTAMPTZ } = pg.types.builtins;
  if (oid === INT8) return Number;
  if ([DATE, TIMESTAMP, TIMESTAMPTZ].some((type) => type === oid)) return (text: string) => text;
  return pg.types.getTypeParser(oid, format);
}
