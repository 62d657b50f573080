import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { type SqlBool, sql } from "kysely";
import { appendEvent } from "../../platform/events/append.ts";
import { recordHostChanges } from "../history/record-changes.ts";
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
    const released = await sql<{ id: string; wasPresent: boolean }>`
      update hosts h set gone_at = coalesce(h.gone_at, ${at}), config_id = null, changed_at = ${at},
        missing_since = null, held_reason = null, held_run_id = null, dismissed_at = null
      from (
        select id, gone_at is null as was_present
        from hosts
        where config_id = ${configId} and ${isReleased}
        order by id limit ${HOSTS_PER_STATEMENT} for update
      ) l
      where h.id = l.id returning h.id, l.was_present as "wasPresent"
    `.execute(em.getKysely());
    if (released.rows.length === 0) break;
    await recordRelease(em, released.rows, { configId, at });
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

/** Those that were gone already have it in their history. */
async function recordRelease(
  em: SqlEntityManager,
  released: readonly { readonly id: string; readonly wasPresent: boolean }[],
  { configId, at }: Pick<Release, "configId" | "at">,
): Promise<void> {
  const changes = [{ field: "configId", from: configId, to: null } as const];
  const entries = released
    .filter(({ wasPresent }) => wasPresent)
    .map(({ id }) => ({ hostId: id, kind: "gone", changes }) as const);
  await recordHostChanges(em, entries, { at, runId: null });
}
