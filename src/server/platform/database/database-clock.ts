import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { kyselyOf } from "./kysely.ts";
import { unixNow } from "./sql.ts";

/**
 * The clock of the database, the only one that all replicas share. Whatever decides that something
 * is due reads it: the clocks of two processes may differ, and both would find it due.
 */
export interface DatabaseClock {
  /** The present in Unix seconds; inside a transaction the time of its start. */
  now(em: SqlEntityManager): Promise<number>;
}

export const databaseClock: DatabaseClock = {
  async now(em) {
    const { now } = await kyselyOf(em).selectNoFrom(unixNow().as("now")).executeTakeFirstOrThrow();
    return now;
  },
};
