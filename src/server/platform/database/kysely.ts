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
type Row = Record<string, unknown>;
type Result = Awaited<ReturnType<KyselyPlugin["transformResult"]>>;

/** The column of each property, in the rows of a statement. */
type Renaming = readonly (readonly [property: string, column: string])[];
const RENAMINGS = new WeakMap<QueryArgs["queryId"], Renaming>();

/**
 * MikroORM's plugin. For each row of an answer it tries every property of every table of the query,
 * which takes longer than the query itself. The rows of a statement always have the same columns,
 * so it is asked for one row, and all others are renamed like it, also when the statement is sent
 * again (`prepared.ts`).
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

    const renaming = RENAMINGS.get(queryId) ?? (await this.#findRenaming(queryId, columns));
    RENAMINGS.set(queryId, renaming);
    return { ...result, rows: result.rows.map((row) => rename(row, renaming)) };
  }

  async #findRenaming(queryId: QueryArgs["queryId"], columns: readonly string[]) {
    const sample = Object.fromEntries(columns.map((column) => [column, column]));
    const named = await this.#plugin.transformResult({ queryId, result: { rows: [sample] } });
    return Object.entries(named.rows[0] ?? {}).map(
      ([property, column]) => [property, String(column)] as const,
    );
  }
}

function rename(row: Row, renaming: Renaming): Row {
  const renamed: Row = {};
  for (const [property, column] of renaming) renamed[property] = row[column];
  return renamed;
}
