import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { BEFORE_ALL_IDS } from "../core/ids.ts";
import type { ConfigEndStep } from "../core/ports.ts";
import { appendEvent } from "../events/append.ts";

/** Bounds one statement, so that a very large configuration does not run into the statement's time limit. */
const HOSTS_PER_STATEMENT = 5_000;

/** The hosts of a configuration that is removed stay as gone, with assignments and history; only those who have one assigned need to be told. */
export const letHostsGo: ConfigEndStep = async (em, { configId, at }) => {
  const assigned = await em.execute<{ id: string }[]>(
    `select h.id from hosts h
     where h.config_id = ? and exists (select 1 from assignments a where a.host_id = h.id and a.ended_at is null)`,
    [configId],
  );
  let last: string | undefined = BEFORE_ALL_IDS;
  while (last !== undefined) last = await letSomeGo(em, { configId, last, at });
  const data = { configId, hostIds: assigned.map(({ id }) => id) };
  await appendEvent(em, { type: "hosts.changed", data }, at);
};

/** The next hosts by id. @returns the last of them, undefined when there was none */
async function letSomeGo(
  em: SqlEntityManager,
  { configId, last, at }: { readonly configId: string; readonly last: string; readonly at: number },
): Promise<string | undefined> {
  const gone = await em.execute<{ id: string }[]>(
    `with next_hosts as (select id from hosts where config_id = ? and id > ? order by id limit ?), let_go as (
       update hosts set gone_at = coalesce(gone_at, ?), config_id = null, changed_at = ?
       from next_hosts where hosts.id = next_hosts.id
     )
     select id from next_hosts order by id desc limit 1`,
    [configId, last, HOSTS_PER_STATEMENT, at, at],
  );
  return gone[0]?.id;
}
