import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import { appendEvent } from "../events/append.ts";

/** Bounds one statement, so that a very large configuration stays within the statement's time limit. */
const HOSTS_PER_STATEMENT = 5_000;

/** The hosts stay as gone, with assignments and history. The event names those that are assigned. `at` in Unix seconds. */
export async function releaseHostsOfConfig(
  em: SqlEntityManager,
  { configId, at }: { readonly configId: string; readonly at: number },
): Promise<void> {
  const hostIds: string[] = [];
  for (;;) {
    const released = await sql<{ id: string }>`
      update hosts h set gone_at = coalesce(h.gone_at, ${at}), config_id = null, changed_at = ${at}
      where h.id in (
        select id from hosts where config_id = ${configId} order by id limit ${HOSTS_PER_STATEMENT} for update
      ) returning h.id
    `.execute(em.getKysely());
    if (released.rows.length === 0) break;
    // A statement of its own: it sees what was assigned while the first one waited for its locks, which now keep out others.
    const assigned = await sql<{ id: string }>`
      select distinct a.host_id as id from assignments a
      where a.ended_at is null and a.host_id = any(${released.rows.map(({ id }) => id)}::uuid[])
    `.execute(em.getKysely());
    hostIds.push(...assigned.rows.map(({ id }) => id));
  }
  await appendEvent(em, { type: "hosts.changed", data: { configId, hostIds } }, at);
}
