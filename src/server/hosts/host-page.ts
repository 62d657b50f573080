import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import type { ListHostsInput } from "../../shared/hosts.ts";
import { isWanted } from "./filters.ts";
import { orderOf } from "./order.ts";
import { columns, type HostRecord } from "./queries.ts";
import type { Viewer } from "./scope.ts";

/** One page of the hosts that match, and how many match in all. */
export async function selectHostPage(
  em: SqlEntityManager,
  viewer: Viewer,
  input: ListHostsInput,
): Promise<{ rows: HostRecord[]; total: number }> {
  const { page, limit } = input;
  const wanted = isWanted(viewer, input);
  const order = orderOf(viewer, input);
  const db = em.getKysely();
  const counted = await sql<{ total: number }>`select count(*) as total from hosts h where ${wanted}`.execute(db);
  const { rows } = await sql<HostRecord>`
    with page as materialized (
      select h.id from hosts h where ${wanted} order by ${order} limit ${sql.lit(limit)} offset ${(page - 1) * limit}
    )
    select ${columns(viewer)} from page join hosts h on h.id = page.id order by ${order}
  `.execute(db);
  return { rows, total: counted.rows[0]?.total ?? 0 };
}
