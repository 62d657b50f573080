import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { kyselyOf } from "../database/kysely.ts";
import type { Viewers } from "../events/audience.ts";

/** Those of the viewers, by id, who may see the request. */
export async function findViewersOf(
  em: SqlEntityManager,
  renewalId: string,
  { ids, role }: Pick<Viewers, "ids" | "role">,
): Promise<string[]> {
  const renewal = await kyselyOf(em)
    .selectFrom("renewals as r")
    .leftJoin("users as u", "u.id", "r.userId")
    .select(["r.userId", "u.admin"])
    .where("r.id", "=", renewalId)
    .executeTakeFirst();
  const viewer = role === "client" ? renewal?.userId : renewal?.admin;
  return role === "super_admin" ? [...ids] : ids.filter((id) => id === viewer);
}
