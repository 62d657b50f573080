import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Viewers } from "../events/audience.ts";

/**
 * The same the other way round: those of the viewers, by id, who may see at least one of these hosts. It starts from the hosts'
 * assignments, for asked of each viewer in turn it would take a hundred times as long. With a client, only by that one's assignments.
 */
export async function findViewersOf(
  em: SqlEntityManager,
  { hostIds, userId }: { readonly hostIds: readonly string[]; readonly userId?: string | undefined },
  viewers: Viewers,
): Promise<string[]> {
  const isOfClient = userId === undefined ? sql`` : sql`and a.user_id = ${userId}`;
  const isOfThese = sql<SqlBool>`a.host_id = any(${[...hostIds]}::uuid[]) and a.ended_at is null ${isOfClient}`;
  const { rows } = await viewersBy(isOfThese, viewers).execute(em.getKysely());
  return rows.map(({ id }) => id);
}

function viewersBy(isOfThese: RawBuilder<SqlBool>, { ids, role, now }: Viewers): RawBuilder<{ readonly id: string }> {
  const isViewer = (id: "a.user_id" | "c.admin_id") => sql<SqlBool>`${sql.ref(id)} = any(${[...ids]}::uuid[])`;
  switch (role) {
    case "super_admin":
      return sql`select unnest(${[...ids]}::uuid[]) as id`;
    case "admin":
      return sql`
        select distinct c.admin_id as id from assignments a join users c on c.id = a.user_id
        where ${isOfThese} and ${isViewer("c.admin_id")}`;
    case "client":
      return sql`
        select distinct a.user_id as id from assignments a
        where ${isOfThese} and ${isViewer("a.user_id")} and a.assigned_at <= ${now}`;
  }
}
