import { MikroKyselyPlugin, type SqlEntityManager } from "@mikro-orm/postgresql";
import type { Kysely, KyselyPlugin } from "kysely";

/** Columns are named as the properties of the entities. */
export interface PropertyNames {
  readonly columnNamingStrategy: "property";
}
const NAMING: PropertyNames = { columnNamingStrategy: "property" };

/**
 * All tables, for the typed query builder: a relation is the id it holds. `mikro-orm.config.ts`,
 * which lists the entities, declares its members, so that this file needs to know none of them.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled in by declaration merging.
export interface Tables {}

/**
 * Names are translated wherever the builder knows the column, also inside subqueries, and in the
 * rows of the answer. JSON is made by the database and keeps its keys: inside `jsonArrayFrom` and
 * `jsonObjectFrom` a column of two words is selected `as` its property.
 */
export function kyselyOf(em: SqlEntityManager): Kysely<Tables> {
  return em.getKysely<Tables>().withPlugin(new PropertyNaming(em));
}

type QueryArgs = Parameters<KyselyPlugin["transformQuery"]>[0];
type ResultArgs = Parameters<KyselyPlugin["transformResult"]>[0];
type Result = Awaited<ReturnType<KyselyPlugin["transformResult"]>>;

/**
 * MikroORM's plugin. For each row of an answer it tries every property of every table of the query,
 * which takes longer than the query itself. The rows of one answer have the same columns, so it is
 * asked for one row, and the others are renamed like it. A statement that is run very often selects
 * its columns `as` their properties, and has nothing to rename.
 */
class PropertyNaming implements KyselyPlugin {
  readonly #plugin: MikroKyselyPlugin;

  constructor(em: SqlEntityManager) {
    this.#plugin = new MikroKyselyPlugin(em, NAMING);
  }

  transformQuery(args: QueryArgs): ReturnType<KyselyPlugin["transformQuery"]> {
    return this.#plugin.transformQuery(args);
  }

  async transformResult({ queryId, result }: ResultArgs): Promise<Result> {
    const [first] = result.rows ?? [];
    if (first === undefined) return result;

    const columns = Object.keys(first);
    // A column of one word is named like its property.
    if (!columns.some((column) => column.includes("_"))) return result;

    const sample = Object.fromEntries(columns.map((column) => [column, column]));
    const named = await this.#plugin.transformResult({ queryId, result: { rows: [sample] } });
    const columnsByProperty = Object.entries(named.rows[0] ?? {});
    const rows = result.rows.map((row) =>
      Object.fromEntries(
        columnsByProperty.map(([property, column]) => [property, row[String(column)]]),
      ),
    );
    return { ...result, rows };
  }
}
