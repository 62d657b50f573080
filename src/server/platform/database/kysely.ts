import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { Kysely } from "kysely";

/** Columns are named as the properties of the entities. */
export interface PropertyNames {
  readonly columnNamingStrategy: "property";
}
const NAMING: PropertyNames = { columnNamingStrategy: "property" };

/**
 * All tables, for the typed query builder: a relation is the id it holds. `mikro-orm.config.ts`, which lists the
 * entities, declares its members, so that this file needs to know none of them.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled in by declaration merging.
export interface Tables {}

export function kyselyOf(em: SqlEntityManager): Kysely<Tables> {
  return em.getKysely<Tables, PropertyNames>(NAMING);
}
