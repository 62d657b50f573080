import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { anyOf } from "../../platform/database/sql.ts";
import type { ClientScope } from "./access.ts";

/** The clients in scope who have requested renewals and whose user name matches, by id. */
export async function findClients(
  em: SqlEntityManager,
  pattern: string,
  scope: ClientScope,
): Promise<readonly string[]> {
  if (scope === "all") return await findAllClients(em, pattern);

  const users = await kyselyOf(em)
    .selectFrom("users as u")
    .select("u.id")
    .where("u.username", "ilike", pattern)
    .where("u.id", "=", anyOf(scope))
    .execute();
  return users.map(({ id }) => id);
}

/**
 * A client who was deleted is found in its renewals only. The index of renewals by user is walked
 * from one client to the next: a step for each client, not for each renewal. The last step finds
 * nobody.
 */
async function findAllClients(em: SqlEntityManager, pattern: string): Promise<readonly string[]> {
  const clients = await kyselyOf(em)
    .withRecursive("clients(id)", (db) =>
      db
        .selectFrom((eb) =>
          eb
            .selectFrom("renewals as r")
            .select("r.userId as firstId")
            .orderBy("r.userId")
            .limit(1)
            .as("first"),
        )
        .select((eb) => eb.ref("first.firstId").$castTo<string | null>().as("id"))
        .unionAll(
          db
            .selectFrom("clients as p")
            .select((eb) =>
              eb
                .selectFrom("renewals as r")
                .select("r.userId")
                .whereRef("r.userId", ">", "p.id")
                .orderBy("r.userId")
                .limit(1)
                .as("id"),
            )
            .where("p.id", "is not", null),
        ),
    )
    .selectFrom("clients as p")
    .leftJoin("users as u", "u.id", "p.id")
    .select("p.id")
    .where("p.id", "is not", null)
    .where(
      (eb) =>
        eb.fn.coalesce(
          "u.username",
          eb
            .selectFrom("renewals as r")
            .select("r.userUsername")
            .whereRef("r.userId", "=", "p.id")
            .limit(1),
        ),
      "ilike",
      pattern,
    )
    .execute();
  return clients.flatMap(({ id }) => id ?? []);
}
