import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { Kysely } from "kysely";
import type { Tables } from "../../platform/database/kysely.ts";
import { ApiTokenEntity } from "./entity.ts";

/** The one definition of a live API token. Tokens `t` before their end, whose user `u` is active. */
export function selectLiveTokens(db: Kysely<Tables>, now: number) {
  return db
    .selectFrom("api_tokens as t")
    .innerJoin("users as u", "u.id", "t.user")
    .where("t.expiresAt", ">", now)
    .where("u.isActive", "=", true);
}

/**
 * For good: enabling the user again brings none back. Inside a transaction that has locked the user.
 * After the commit the caller emits `sessions.ended` with `withTokens`.
 */
export async function revokeTokensOfUser(em: SqlEntityManager, userId: string): Promise<void> {
  await em.nativeDelete(ApiTokenEntity, { user: userId });
}
