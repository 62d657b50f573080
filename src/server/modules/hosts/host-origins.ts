import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { prepared } from "../../platform/database/prepared.ts";
import { anyOf } from "../../platform/database/sql.ts";

/** Where at the provider a host is. For super admins alone. */
export interface HostOrigin {
  /** The name of its cloud account; null when its configuration was deleted. */
  readonly account: string | null;
  /** Empty for the account's default project. */
  readonly projectId: string | null;
}

/** By the id of the host. */
export async function readOrigins(
  em: SqlEntityManager,
  ids: readonly string[],
): Promise<ReadonlyMap<string, HostOrigin>> {
  const rows = await readOriginsOf(em, { ids });
  return new Map(rows.map(({ id, ...origin }) => [id, origin]));
}

interface OriginValues {
  readonly ids: readonly string[];
}

const readOriginsOf = prepared((db, { ids }: OriginValues) =>
  db
    .selectFrom("hosts as h")
    .leftJoin("configs as c", "c.id", "h.config")
    .select(["h.id", "h.projectId", "c.name as account"])
    .where("h.id", "=", anyOf(ids)),
);
