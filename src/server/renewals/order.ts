import { type RawBuilder, sql } from "kysely";
import type { ListRenewalsInput } from "../../shared/renewals.ts";

/** The order of requests `r` with their assignments `a`. No two are equal in it; those with the same end are newest first. */
export function orderOf({ sort, order }: ListRenewalsInput): RawBuilder<unknown> {
  const direction = order === "desc" ? sql`desc` : sql`asc`;
  switch (sort) {
    // Ids rise with the time at which they were made, and indexes hold them.
    case "createdAt":
      return sql`r.id ${direction}`;
    case "expireTime":
      return sql`a.assigned_expire_time ${direction}, r.id desc`;
  }
}
