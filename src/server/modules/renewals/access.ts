import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { Expression, ExpressionBuilder, SqlBool } from "kysely";
import { isClient, isSuperAdmin } from "../../../shared/roles.ts";
import { kyselyOf, type Tables } from "../../platform/database/kysely.ts";
import { anyOf } from "../../platform/database/sql.ts";
import type { Viewer } from "../hosts/access.ts";
import { isClientOf } from "../users/access.ts";

/** Builds expressions for a query that has the renewals as `r`. */
export type RenewalExpressions = ExpressionBuilder<Tables & { r: Tables["renewals"] }, "r">;

/** The clients whose renewals somebody sees, by id. */
export type ClientScope = "all" | readonly string[];

/**
 * The row scope of every read. Ids, not a subquery: with them before it the database knows whether
 * few renewals match, to be taken from an index, or many.
 */
export async function findScope(
  em: SqlEntityManager,
  { id, role }: Pick<Viewer, "id" | "role">,
): Promise<ClientScope> {
  if (isSuperAdmin(role)) return "all";
  if (isClient(role)) return [id];

  const clients = await kyselyOf(em)
    .selectFrom("users as u")
    .select("u.id")
    .where((eb) => isClientOf(eb, id))
    .execute();
  return clients.map((client) => client.id);
}

/** Whether the renewal is of one of these clients. */
export function isOfClients(eb: RenewalExpressions, clientIds: ClientScope): Expression<SqlBool> {
  return clientIds === "all" ? eb.lit(true) : eb("r.userId", "=", anyOf(clientIds));
}
