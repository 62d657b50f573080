import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Deps } from "../core/deps.ts";

/** Condition on sessions `s`: neither the absolute nor the idle end has come at `now` (Unix seconds). Whether the user is active is another matter. */
export function isAlive({ sessionLimits }: Pick<Deps, "sessionLimits">, now: number): RawBuilder<SqlBool> {
  return sql<SqlBool>`(s.expires_at > ${now} and s.last_used_at > ${now - sessionLimits.idle})`;
}
