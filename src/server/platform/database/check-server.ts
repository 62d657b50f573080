import { type QueryExecutorProvider, sql } from "kysely";
import { reasonOf, StartError } from "../errors.ts";

const OLDEST_VERSION = 14;

interface ServerProperties {
  readonly database: string;
  readonly encoding: string;
  /** As 150004 for 15.4. */
  readonly version: number;
}

/** The first statement of a start. Throws StartError for a database that is of no use. */
export async function checkServer(db: QueryExecutorProvider): Promise<void> {
  const { database, encoding, version } = await readProperties(db);

  // The migrations and the names of hosts are Chinese.
  if (encoding !== "UTF8") {
    throw new StartError(
      `DATABASE_URL: the database ${database} has the encoding ${encoding}, in which Chinese` +
        " cannot be stored; name one that is made with" +
        " create database … encoding 'UTF8' template template0",
    );
  }
  const major = Math.floor(version / 10_000);
  if (major < OLDEST_VERSION) {
    throw new StartError(
      `DATABASE_URL: the server is PostgreSQL ${major}; version ${OLDEST_VERSION} or later is needed`,
    );
  }
}

async function readProperties(db: QueryExecutorProvider): Promise<ServerProperties> {
  try {
    const { rows } = await sql<ServerProperties>`
      select current_database() as database,
        pg_encoding_to_char(encoding) as encoding,
        current_setting('server_version_num')::integer as version
      from pg_database
      where datname = current_database()
    `.execute(db);
    const [properties] = rows;
    if (properties === undefined) throw new Error("pg_database does not list its own database");
    return properties;
  } catch (cause) {
    const message = `DATABASE_URL: the database cannot be reached (${reasonOf(cause)})`;
    throw new StartError(message, { cause });
  }
}
