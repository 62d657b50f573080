import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { anyOf } from "../../platform/database/sql.ts";
import type { ClientScope } from "./access.ts";

/** The users who have made requests and whose user name matches, of the clients in scope. */
export async function findApplicants(
  em: SqlEntityManager,
  pattern: string,
  scope: ClientScope,
): Promise<readonly string[]> {
  if (scope === "all") return await findAllApplicants(em, pattern);

  const users = await kyselyOf(em)
    .selectFrom("users as u")
    .select("u.id")
    .where("u.username", "ilike", pattern)
    .where("u.id", "=", anyOf(scope))
    .execute();
  return users.map(({ id }) => id);
}

/**
 * Deleted users are in their requests alone. The index of requests by user is walked from one user
 * to the next, which takes one step a user and not one a request. The last step finds nobody.
 */
async function findAllApplicants(
  em: SqlEntityManager,
  pattern: string,
): Promise<readonly string[]> {
  const applicants = await kyselyOf(em)
    .withRecursive("applicants(id)", (db) =>
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
            .selectFrom("applicants as p")
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
    .selectFrom("applicants as p")
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
  return applicants.flatMap(({ id }) => id ?? []);
}
