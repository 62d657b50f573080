import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import { BEFORE_ALL_IDS } from "../core/ids.ts";
import { appendEvent } from "../events/append.ts";

/** Bounds one statement, so that a very large configuration does not run into the statement's time limit. */
const HOSTS_PER_STATEMENT = 5_000;

/** Keeps the hosts of a deleted configuration as gone, with assignments and history, and publishes it to those who have one. */
export async function releaseHostsOfConfig(
  em: SqlEntityManager,
  { configId, at }: { readonly configId: string; readonly at: number },
): Promise<void> {
  const gone: string[] = [];
  for (;;) {
    const some = await releaseSome(em, { configId, last: gone.at(-1) ?? BEFORE_ALL_IDS, at });
    if (some.length === 0) break;
    gone.push(...some);
  }
  // Read once the host rows are locked: from then on no host of them can be assigned.
  const { rows: assigned } = await sql<{ host_id: string }>`
    select distinct host_id from assignments where host_id = any(${gone}::uuid[]) and ended_at is null
  `.execute(em.getKysely());
  const data = { configId, hostIds: assigned.map(({ host_id: hostId }) => hostId) };
  await appendEvent(em, { type: "hosts.changed", data }, at);
}

/** The next hosts by id, in that order. */
async function releaseSome(
  em: SqlEntityManager,
  { configId, last, at }: { readonly configId: string; readonly last: string; readonly at: number },
): Promise<string[]> {
  const gone = await em.execute<{ id: string }[]>(
    `with next_hosts as (select id from hosts where config_id = ? and id > ? order by id limit ?), let_go as (
       update hosts set gone_at = coalesce(gone_at, ?), config_id = null, changed_at = ?
       from next_hosts where hosts.id = next_hosts.id
     )
     select id from next_hosts order by id`,
    [configId, last, HOSTS_PER_STATEMENT, at, at],
  );
  return gone.map(({ id }) => id);
}
