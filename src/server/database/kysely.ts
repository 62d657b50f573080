import type { InferKyselyDB, SqlEntityManager } from "@mikro-orm/postgresql";
import type { Kysely } from "kysely";
import type { ENTITIES } from "./entities.ts";

const NAMING = { columnNamingStrategy: "property" } as const;

/** All tables by the names of their entities' properties: a relation is the id it holds. */
export type Tables = InferKyselyDB<(typeof ENTITIES)[number], typeof NAMING>;

export function kyselyOf(em: SqlEntityManager): Kysely<Tables> {
  return em.getKysely<Tables, typeof NAMING>(NAMING);
}
