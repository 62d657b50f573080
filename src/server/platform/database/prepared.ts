import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { Compilable, CompiledQuery, Kysely } from "kysely";
import type { Role } from "../../../shared/roles.ts";
import { kyselyOf, type Tables } from "./kysely.ts";
import { nameStatement } from "./named-statements.ts";

type SqlValue = string | number | boolean | Buffer | null | readonly string[];

interface PreparedOptions {
  /**
   * Whether the database plans it once for each connection, and without its values. Not for a
   * statement that is planned better with them: one that searches, or has a limit of many rows.
   */
  readonly isNamed?: boolean;
}

/**
 * A read that is run very often. It is built and compiled by its first call, with placeholders in
 * the place of its values; every call sends the text with values of its own. To build and compile a
 * list takes as long as the database needs to answer it.
 *
 * `build` may hand its values on to the database, to be compared there. It cannot calculate with
 * them, which throws, and must not decide by them, which nothing notices (`value === null` is false
 * of a placeholder): what the text depends on, such as a role, makes another statement. Its
 * columns are named one by one: after a migration of another process `*` would be other columns.
 */
export function prepared<Values extends { readonly [Name in keyof Values]: SqlValue }, Row>(
  build: (db: Kysely<Tables>, values: Values) => Compilable<Row>,
  { isNamed = true }: PreparedOptions = {},
): (em: SqlEntityManager, values: Values) => Promise<Row[]> {
  let compiled: CompiledQuery<Row> | null = null;

  return async (em, values) => {
    const db = kyselyOf(em);
    if (compiled === null) {
      compiled = build(db, placeholdersOf(values)).compile();
      if (isNamed) nameStatement(compiled.sql);
    }

    const parameters = compiled.parameters.map((parameter) =>
      parameter instanceof Placeholder ? Reflect.get(values, parameter.name) : parameter,
    );
    const query: CompiledQuery<Row> = { ...compiled, parameters };
    const { rows } = await db.executeQuery(query);
    return rows;
  };
}

/** A statement for each role, where the text depends on it. */
export function byRole<Statement>(
  prepare: (role: Role) => Statement,
): Readonly<Record<Role, Statement>> {
  return {
    super_admin: prepare("super_admin"),
    admin: prepare("admin"),
    client: prepare("client"),
  };
}

/** Stands for the value of that name while a statement is built. */
class Placeholder {
  readonly name: string | symbol;

  constructor(name: string | symbol) {
    this.name = name;
  }

  [Symbol.toPrimitive](): never {
    throw new Error(
      `${String(this.name)}: the values of a prepared statement are known to the database alone;` +
        " calculate with them before, and hand over the result as a value of its own",
    );
  }

  toJSON(): never {
    return this[Symbol.toPrimitive]();
  }
}

/** With the type of the values. */
function placeholdersOf<Values extends object>(values: Values): Values {
  return new Proxy({ ...values }, { get: (_values, name) => new Placeholder(name) });
}
