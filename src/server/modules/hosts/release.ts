import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { type SqlBool, sql } from "kysely";
import { appendEvent } from "../../platform/events/append.ts";
import { appendHostsChanged, MAX_NAMED_HOSTS } from "./events.ts";
import { isOutsideProjects } from "./filters.ts";

const HOSTS_PER_STATEMENT = 5_000;

interface Release {
  readonly configId: string;
  /** Hosts of these projects, and of the account's default project, stay. Absent: all hosts are released. */
  readonly exceptProjectIds?: readonly string[];
  readonly at: number;
}

/**
 * Marks the hosts of a configuration as gone; assignments and history stay. The event names those that
 * are assigned, unless they are too many.
 */
export async function releaseHosts(
  em: SqlEntityManager,
  { configId, exceptProjectIds, at }: Release,
): Promise<void> {
  const isReleased =
    exceptProjectIds === undefined ? sql<SqlBool>`true` : isOutsideProjects(exceptProjectIds);
  const held = await sql`
    select from hosts where config_id = ${configId} and missing_since is not null and ${isReleased} limit 1
  `.execute(em.getKysely());
  const hostIds: string[] = [];
  for (;;) {
    // An array is read once; "in" may read the hosts again for each host.
    const released = await sql<{ id: string }>`
      update hosts h set gone_at = coalesce(h.gone_at, ${at}), config_id = null, changed_at = ${at},
        missing_since = null, held_reason = null, held_run_id = null, dismissed_at = null
      where h.id = any(array(
        select id from hosts where config_id = ${configId} and ${isReleased}
        order by id limit ${HOSTS_PER_STATEMENT} for update
      )) returning h.id
    `.execute(em.getKysely());
    if (released.rows.length === 0) break;
    if (hostIds.length > MAX_NAMED_HOSTS) continue;
    // A second statement, because the first does not see what was assigned while it waited for its locks.
    const assigned = await sql<{ id: string }>`
      select distinct a.host_id as id from assignments a
      where a.ended_at is null and a.host_id = any(${released.rows.map(({ id }) => id)}::uuid[])
    `.execute(em.getKysely());
    hostIds.push(...assigned.rows.map(({ id }) => id));
  }
  await appendHostsChanged(em, { configId, hostIds }, at);
  if (held.rows.length > 0)
    await appendEvent(em, { type: "removals.changed", data: { configId } }, at);
}
